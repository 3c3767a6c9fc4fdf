extension ShapeCheck {
    /// How well a value fits an alternative that it does not match.
    private struct Fit {
        /// The first member of fixed values (`"kind"`) with a different one: the value states that it is another kind.
        var mark: Fault?
        /// The number of members of fixed values that match.
        var matched = 0
        /// The number of matching members or elements.
        var held = 0
        /// The number of wrong ones, except those of fixed values.
        var wrong = 0
        /// The number of missing or superfluous ones.
        var astray = 0

        /// Whether this fits better than `other`. If they are equal, the first alternative counts.
        func isBetter(than other: Fit) -> Bool {
            let key = { (fit: Fit) in (-fit.matched, -(2 * fit.held + fit.wrong), fit.wrong + fit.astray + (fit.mark == nil ? 0 : 1)) }
            return key(self) < key(other)
        }
    }

    /// Returns the fault of the alternative that fits best, whatever the order of the text: the one whose fixed values
    /// the value has, then the one with most in common. For scalars, and if no alternative is of the value's kind, it
    /// names all of them.
    func bestFault(of place: Int, _ alternatives: [Int], _ tape: Tape, _ index: Int) -> Fault {
        let fits = alternatives.compactMap { node in fit(node, tape, index).map { (node: node, fit: $0) } }
        guard var best = fits.first else { return expectation(place, index) }
        for other in fits.dropFirst() where other.fit.isBetter(than: best.fit) { best = other }
        guard var fault = best.fit.mark else { return self.fault(best.node, tape, index) ?? expectation(place, index) }
        // No alternative has the value's mark: all expected ones are named.
        var seen: Set<String> = []
        let marks = fits.compactMap(\.fit.mark).filter { $0.index == fault.index }.map(\.expected).filter { seen.insert($0).inserted }
        fault.expected = marks.joined(separator: " | ")
        return fault
    }

    /// Returns nil if the node is not of the value's kind, or not a container.
    private func fit(_ place: Int, _ tape: Tape, _ index: Int) -> Fit? {
        let node = program.nodes[place]
        switch (node.check, tape[index].kind) {
        case (.object, .object): return fitOfObject(node, tape, index)
        case (.map, .object): return fitOfChildren(node, tape, index, keyWords: 1)
        case (.array, .array): return fitOfChildren(node, tape, index, keyWords: 0)
        case (.alternatives, _):
            let fits = (node.first..<(node.first + node.count)).compactMap { fit(program.members[$0].node, tape, index) }
            return fits.dropFirst().reduce(fits.first) { best, fit in best.map { fit.isBetter(than: $0) ? fit : $0 } }
        default: return nil
        }
    }

    private func fitOfObject(_ node: Node, _ tape: Tape, _ index: Int) -> Fit {
        var fit = Fit()
        var reader = MemberReader(storage, index)
        for number in node.first..<(node.first + node.count) {
            let member = program.members[number]
            guard let value = program.withKey(of: member, { reader.value(forKey: $0, signature: member.signature) }) else {
                if !program.nodes[member.node].isOptional { fit.astray += 1 }
                continue
            }
            let isMark = program.nodes[member.node].check == .values
            if holds(member.node, tape, value) {
                fit.held += 1
                if isMark { fit.matched += 1 }
            } else if isMark {
                fit.mark = fit.mark ?? expectation(member.node, value)
            } else {
                fit.wrong += 1
            }
        }
        if node.isClosed, superfluousMember(node, tape, index) != nil { fit.astray += 1 }
        return fit
    }

    private func fitOfChildren(_ node: Node, _ tape: Tape, _ index: Int, keyWords: Int) -> Fit {
        var fit = Fit()
        let end = tape.end(of: index)
        var child = index + 1 + keyWords
        while child < end {
            if holds(node.first, tape, child) { fit.held += 1 } else { fit.wrong += 1 }
            child = tape.next(after: child) + keyWords
        }
        let count = Int64(fit.held + fit.wrong)
        if node.check == .array, count < node.lower || count > node.upper { fit.astray += 1 }
        return fit
    }
}
