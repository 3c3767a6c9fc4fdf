/// Compares a shape with a place on a tape. A match needs no allocation.
struct ShapeCheck {
    typealias Node = ShapeProgram.Node

    struct Fault {
        /// The value at fault; for a missing or superfluous member, the object.
        let index: Int
        var expected: String
        /// The missing member.
        var missing: String?
        /// The superfluous member.
        var superfluous: String?
        /// The content found, if it is not the value itself.
        var found: String?
    }

    let program: ShapeProgram
    let storage: DocumentStorage
    /// Whether the fault must be the one to report; otherwise any fault will do, which needs less search.
    var explains = true

    private var tape: Tape { storage.tape }

    /// Returns the first fault; nil if the value at `index` has the shape.
    func fault(at index: Int) -> Fault? {
        fault(0, storage.tape, index)
    }

    @inline(__always)
    func fault(_ place: Int, _ tape: Tape, _ index: Int) -> Fault? {
        let accepted = program.nodes[place].accepted
        guard accepted >> UInt16(tape[index].kind.rawValue) & 1 == 0 else { return nil }
        return faultOfOther(place, tape, index)
    }

    private func faultOfOther(_ place: Int, _ tape: Tape, _ index: Int) -> Fault? {
        let node = program.nodes[place]
        let holds: Bool
        switch node.check {
        case .none: holds = false
        case .whole: holds = tape[index].kind == .decimal && tape.withText(of: tape[index]) { NumberParts($0).isWhole }
        case .integerRange:
            holds = tape.integer(at: index, as: Int64.self).map { $0 >= node.lower && $0 <= node.upper } ?? isHuge(index, node, tape)
        case .numberRange: holds = tape[index].isNumber && isNumber(tape.double(at: index) ?? infinity(index, tape), in: node)
        case .values: holds = isValue(index, of: node)
        case .array: return arrayFault(place, node, tape, index)
        case .object: return objectFault(place, node, tape, index)
        case .map: return mapFault(place, node, tape, index)
        case .alternatives: return alternativesFault(place, node, tape, index)
        }
        return holds ? nil : expectation(place, index)
    }

    @inline(never)
    func expectation(_ place: Int, _ index: Int) -> Fault {
        Fault(index: index, expected: program.expectations[place])
    }

    // MARK: Scalars

    private func isNumber(_ value: Double, in node: Node) -> Bool {
        value >= Double(bitPattern: UInt64(bitPattern: node.lower))
            && value <= Double(bitPattern: UInt64(bitPattern: node.upper))
    }

    /// Whether a whole number beyond `Int64` is in a range without an upper bound.
    private func isHuge(_ index: Int, _ node: Node, _ tape: Tape) -> Bool {
        guard node.isEndless, tape[index].isNumber else { return false }
        return tape.withText(of: tape[index]) { text in
            let parts = NumberParts(text)
            return parts.isWhole && !parts.isNegative
        }
    }

    /// Returns infinity for a number beyond `Double`.
    private func infinity(_ index: Int, _ tape: Tape) -> Double {
        tape.withText(of: tape[index]) { $0.byte(at: 0) == 0x2D } ? -.infinity : .infinity
    }

    private func isValue(_ index: Int, of node: Node) -> Bool {
        let json = JSON(storage, at: index)
        return program.values[node.first..<(node.first + node.count)].contains { $0 == json }
    }

    // MARK: Containers

    private func arrayFault(_ place: Int, _ node: Node, _ tape: Tape, _ index: Int) -> Fault? {
        guard tape[index].kind == .array else { return expectation(place, index) }
        let end = tape.end(of: index)
        var child = index + 1
        var count: Int64 = 0
        while child < end {
            if let fault = fault(node.first, tape, child) { return fault }
            child = tape.next(after: child)
            count &+= 1
        }
        guard count < node.lower || count > node.upper else { return nil }
        let bounds = Shape.text(node.lower, node.upper)
        return Fault(
            index: index, expected: "array of \(bounds) element\(bounds == "1" ? "" : "s")",
            found: "an array of \(count) element\(count == 1 ? "" : "s")")
    }

    private func mapFault(_ place: Int, _ node: Node, _ tape: Tape, _ index: Int) -> Fault? {
        guard tape[index].kind == .object else { return expectation(place, index) }
        let end = tape.end(of: index)
        var member = index + 1
        while member < end {
            if let fault = fault(node.first, tape, member &+ 1) { return fault }
            member = tape.next(after: member &+ 1)
        }
        return nil
    }

    private func alternativesFault(_ place: Int, _ node: Node, _ tape: Tape, _ index: Int) -> Fault? {
        let alternatives = (node.first..<(node.first + node.count)).lazy.map { program.members[$0].node }
        if alternatives.contains(where: { holds($0, tape, index) }) { return nil }
        guard explains else { return expectation(place, index) }
        return bestFault(of: place, Array(alternatives), tape, index)
    }

    func holds(_ place: Int, _ tape: Tape, _ index: Int) -> Bool {
        var quick = self
        quick.explains = false
        return quick.fault(place, tape, index) == nil
    }

    // MARK: Objects

    private func objectFault(_ place: Int, _ node: Node, _ tape: Tape, _ index: Int) -> Fault? {
        guard tape[index].kind == .object else { return expectation(place, index) }
        var reader = MemberReader(storage, index)
        for number in node.first..<(node.first &+ node.count) {
            let member = program.members[number]
            if let value = program.withKey(of: member, { reader.value(forKey: $0, signature: member.signature) }) {
                if let fault = fault(member.node, tape, value) { return fault }
            } else if !program.nodes[member.node].isOptional {
                return missing(member, index)
            }
        }
        return node.isClosed ? superfluousMember(node, tape, index) : nil
    }

    func missing(_ member: ShapeProgram.Member, _ index: Int) -> Fault {
        Fault(
            index: index, expected: program.expectations[member.node],
            missing: program.withKey(of: member) { String($0) })
    }

    func superfluousMember(_ node: Node, _ tape: Tape, _ index: Int) -> Fault? {
        let end = tape.end(of: index)
        var key = index + 1
        while key < end {
            let isNamed = (node.first..<(node.first + node.count)).contains { number in
                program.withKey(of: program.members[number]) { tape.isKey(key, equalTo: $0) }
            }
            if !isNamed {
                return Fault(index: index, expected: "no such member", superfluous: tape.string(at: key))
            }
            key = tape.next(after: key + 1)
        }
        return nil
    }
}

extension ShapeCheck.Fault {
    func error(in storage: DocumentStorage) -> JSONError {
        let locator = ValueLocator(storage)
        var error = locator.error(.shapeMismatch, at: index, expected: expected)
        if let missing {
            error.path.append(.key(missing))
            error.found = "nothing"
        } else if let superfluous {
            // Below the name of a secret, a key may be a secret itself.
            let key = JSONPath.Component.key(superfluous)
            error.path.append(locator.isMasked(index) ? KeyMask.hidden(key) : key)
            error.found = "a member"
        } else if let found {
            error.found = found
        }
        return error
    }
}
