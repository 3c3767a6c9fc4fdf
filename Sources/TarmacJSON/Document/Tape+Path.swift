extension Tape {
    /// Returns the path of the value at `index` from `root`. Costs a walk over the preceding values; only errors and
    /// `codingPath` use it.
    func path(to index: Int, from root: Int = 0) -> JSONPath {
        var path = JSONPath()
        var container = root
        while container != index, let step = step(from: container, towards: index) {
            path.append(step.component)
            container = step.index
        }
        return path
    }

    /// Returns the child of `container` that is or contains `index`.
    func step(from container: Int, towards index: Int) -> (component: JSONPath.Component, index: Int)? {
        guard self[container].isContainer else { return nil }
        let isObject = self[container].kind == .object
        let end = end(of: container)
        var child = container + 1
        var position = 0
        while child < end {
            let value = isObject ? child + 1 : child
            let after = next(after: value)
            if index < after {
                return (isObject ? .key(string(at: child)) : .index(position), value)
            }
            position += 1
            child = after
        }
        return nil
    }

    /// Returns the place where indexing stopped: the open containers from the outside, and the child being read in the
    /// last.
    func openPath(innermost: Int) -> JSONPath {
        var path = JSONPath()
        let containers = openContainers(innermost: innermost)
        for (container, inside) in zip(containers, containers.dropFirst() + [count]) {
            if let component = openStep(from: container, to: inside) { path.append(component) }
        }
        return path
    }

    /// Returns the open containers. While one is open, its extent is the index of the one around it; the root has its
    /// own.
    func openContainers(innermost: Int) -> [Int] {
        guard innermost >= 0 else { return [] }
        var containers = [innermost]
        while let last = containers.last, last != self[last].extent { containers.append(self[last].extent) }
        return containers.reversed()
    }

    /// Returns the key or position of the child that starts at `target`, or would start there at the end of the tape.
    private func openStep(from container: Int, to target: Int) -> JSONPath.Component? {
        let isObject = self[container].kind == .object
        var child = container + 1
        var position = 0
        while child < target {
            if isObject {
                if child + 1 >= target { return .key(string(at: child)) }
                child += 1
            }
            child = next(after: child)
            position += 1
        }
        return isObject ? nil : .index(position)
    }
}
