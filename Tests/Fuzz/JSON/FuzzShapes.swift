import Foundation

/// Shapes made from a value: it has them, and it does not have those that ask for something else.
struct FuzzShapes {
    let root: JSON

    init(_ root: JSON) {
        self.root = root
    }

    func run(_ random: inout SeededGenerator) {
        let shape = fitting(root, &random)
        if let error = fault(shape) { fatalError("\(root) does not fit \(shape): \(error)") }
        require(fault(Shape(.alternatives([unfit(root), shape]))) == nil, "no alternative fits")
        guard let error = fault(unfit(root)) else { fatalError("\(root) fits \(unfit(root))") }
        require(error.code == .shapeMismatch && error.offset != nil && !error.description.isEmpty, "a fault without a place")
        let other: Shape = ["a": .integer(in: 0...9).optional, "b": .array(of: .either(.string, .number, ["c": .bool])).optional]
        _ = fault(other.closed())
        _ = fault(.array(of: .map(of: .any)))
    }

    private func fault(_ shape: Shape) -> JSONError? {
        do {
            try shape.check(root)
            require(shape.matches(root), "checked and not matched")
            return nil
        } catch {
            require(!shape.matches(root), "matched and not checked")
            return error
        }
    }

    private func fitting(_ json: JSON, _ random: inout SeededGenerator) -> Shape {
        if random.once(in: 10) { return .any }
        if random.once(in: 10) { return Shape(.alternatives([unfit(json), fitting(json, &random)])) }
        if random.once(in: 10) { return fitting(json, &random).nullable }
        switch json.kind {
        case .null, nil: return random.bool() ? .null : Shape.string.nullable
        case .bool: return .bool
        case .number:
            if let int = json.int64, random.bool() { return .integer(in: int...int) }
            if random.bool() { return .oneOf("x", json) }
            return json.int64 == nil ? .number : .integer
        case .string: return random.bool() ? .oneOf(0, json, nil) : .string
        case .array:
            let elements = json.elements.map { fitting($0, &random) }
            return .array(of: elements.isEmpty ? .null : Shape(.alternatives(elements)), count: elements.count...elements.count)
        case .object: return object(json, &random)
        }
    }

    private func object(_ json: JSON, _ random: inout SeededGenerator) -> Shape {
        var members: [Shape.Member] = []
        var isUnique = true
        for (key, value) in json.members {
            // The first of equal keys counts.
            if members.contains(where: { $0.key.unicodeScalars.elementsEqual(key.unicodeScalars) }) { isUnique = false; continue }
            let shape = fitting(value, &random)
            members.append(Shape.Member(key: key, shape: random.bool() ? shape.optional : shape))
        }
        if isUnique, random.once(in: 6) { return .map(of: members.isEmpty ? .null : Shape(.alternatives(members.map(\.shape)))) }
        return Shape(.object(members, isClosed: random.bool()))
    }

    /// What the value is not.
    private func unfit(_ json: JSON) -> Shape {
        switch json.kind {
        case .null, nil: .string
        case .bool: .number
        case .number: Shape.oneOf("x").nullable
        case .string: Shape(.alternatives([.number, .bool, .null]))
        case .array: .array(of: .any, count: (json.count + 1)...Int.max)
        case .object: Shape(.object([.init(key: "\u{1}missing\u{1}", shape: .any)], isClosed: false))
        }
    }
}
