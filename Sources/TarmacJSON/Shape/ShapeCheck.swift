/// Compares a shape with a place on a tape. Says yes without allocating.
struct ShapeCheck {
    struct Fault {
        /// The value at fault; of a missing or superfluous member, the object.
        let index: Int
        let expected: String
        /// The missing member.
        var missing: String?
        /// The superfluous member.
        var superfluous: String?

        func error(in storage: DocumentStorage) -> JSONError {
            var error = storage.error(.shapeMismatch, at: index, expected: expected)
            if let missing {
                error.path.append(.key(missing))
                error.found = "nothing"
            } else if let superfluous {
                error.path.append(.key(superfluous))
                error.found = "a member"
            }
            return error
        }
    }

    private let storage: DocumentStorage
    private let tape: Tape
    private let keys = KeyMatcher(.useDefaultKeys)
    private let cursors = MemberCursors()

    /// The first fault; nil if the value at `index` has the shape.
    static func fault(of shape: Shape, in storage: DocumentStorage, at index: Int) -> Fault? {
        let check = ShapeCheck(storage: storage)
        defer { check.cursors.free() }
        return check.fault(shape, at: index)
    }

    private init(storage: DocumentStorage) {
        self.storage = storage
        tape = storage.tape
    }

    private func fault(_ shape: Shape, at index: Int) -> Fault? {
        switch shape.rule {
        case .any: return nil
        case .kind(let kind): return expect(JSON.Kind(tape[index].kind) == kind, shape, index)
        case .integer(let range): return expect(isInteger(index, range), shape, index)
        case .number(let range): return expect(isNumber(index, range), shape, index)
        case .array(let element, let count): return arrayFault(shape, element, count, index)
        case .object(let members, let isClosed): return objectFault(shape, members, isClosed, index)
        case .map(let value): return mapFault(shape, value, index)
        case .values(let values): return expect(values.contains { $0 == JSON(storage, at: index) }, shape, index)
        case .alternatives(let shapes): return alternativesFault(shape, shapes, index)
        case .nullable(let inner), .optional(let inner):
            return tape[index].isNull ? nil : fault(inner, at: index)
        }
    }

    private func expect(_ holds: Bool, _ shape: Shape, _ index: Int) -> Fault? {
        holds ? nil : Fault(index: index, expected: shape.summary)
    }

    // MARK: Numbers

    private func isInteger(_ index: Int, _ range: ClosedRange<Int64>?) -> Bool {
        let word = tape[index]
        guard let range else {
            return word.kind == .integer
                || word.kind == .decimal && NumberParts(tape.text(of: word)).isWhole
        }
        return tape.integer(at: index, as: Int64.self).map(range.contains) ?? false
    }

    private func isNumber(_ index: Int, _ range: ClosedRange<Double>?) -> Bool {
        guard let range else { return tape[index].isNumber }
        return tape.double(at: index).map(range.contains) ?? false
    }

    // MARK: Containers

    private func arrayFault(_ shape: Shape, _ element: Shape, _ count: ClosedRange<Int>?, _ index: Int) -> Fault? {
        guard tape[index].kind == .array else { return Fault(index: index, expected: shape.summary) }
        let end = tape.end(of: index)
        var child = index + 1
        while child < end {
            if let fault = fault(element, at: child) { return fault }
            child = tape.next(after: child)
        }
        guard let count, !count.contains(tape.childCount(of: index)) else { return nil }
        return Fault(index: index, expected: "array of \(count.lowerBound)…\(count.upperBound) elements")
    }

    private func mapFault(_ shape: Shape, _ value: Shape, _ index: Int) -> Fault? {
        guard tape[index].kind == .object else { return Fault(index: index, expected: shape.summary) }
        let end = tape.end(of: index)
        var member = index + 1
        while member < end {
            if let fault = fault(value, at: member + 1) { return fault }
            member = tape.next(after: member + 1)
        }
        return nil
    }

    private func objectFault(_ shape: Shape, _ members: [Shape.Member], _ isClosed: Bool, _ index: Int) -> Fault? {
        guard tape[index].kind == .object else { return Fault(index: index, expected: shape.summary) }
        for member in members {
            if let value = value(of: member.key, in: index) {
                if let fault = fault(member.shape, at: value) { return fault }
            } else if case .optional = member.shape.rule {
                continue
            } else {
                return Fault(index: index, expected: member.shape.summary, missing: member.key)
            }
        }
        return isClosed ? superfluousMember(members, index) : nil
    }

    private func value(of key: String, in object: Int) -> Int? {
        var key = key
        return key.withUTF8 { text in
            let place = keys.search(text, in: object, tape, cursors)
            if place >= 0 { return place }
            return place == KeyMatcher.absent ? nil : tape.value(forKey: text, of: object)
        }
    }

    private func superfluousMember(_ members: [Shape.Member], _ index: Int) -> Fault? {
        let end = tape.end(of: index)
        var member = index + 1
        while member < end {
            let key = tape.string(at: member)
            if !members.contains(where: { $0.key == key }) {
                return Fault(index: index, expected: "no such member", superfluous: key)
            }
            member = tape.next(after: member + 1)
        }
        return nil
    }

    private func alternativesFault(_ shape: Shape, _ shapes: [Shape], _ index: Int) -> Fault? {
        var furthest: Fault?
        for alternative in shapes {
            guard let fault = fault(alternative, at: index) else { return nil }
            if fault.index > furthest?.index ?? index { furthest = fault }
        }
        return furthest ?? Fault(index: index, expected: shape.summary)
    }
}
