extension JSON {
    /// Iterates over the children of a container, in a document or built.
    struct Cursor: Sendable {
        private enum Source: Sendable {
            case document(DocumentStorage, keyWords: Int)
            case built([JSON])
            case members(MemberList)
        }

        private let source: Source
        private var position: Int
        private let end: Int

        init(_ json: JSON, of kind: Kind) {
            switch json.node {
            case .view(let storage, let index) where json.kind == kind:
                source = .document(storage, keyWords: kind == .object ? 1 : 0)
                position = index + 1
                end = storage.tape.end(of: index)
            case .array(let elements) where kind == .array:
                source = .built(elements)
                position = 0
                end = elements.count
            case .object(let members) where kind == .object:
                source = .members(members)
                position = members.occupied(from: 0)
                end = members.keys.count
            default:
                source = .built([])
                position = 0
                end = 0
            }
        }

        /// Returns the place of the next child.
        mutating func next() -> Int? {
            guard position < end else { return nil }
            let current = position
            switch source {
            case .document(let storage, let keyWords): position = storage.tape.next(after: current + keyWords)
            case .built: position += 1
            case .members(let members): position = members.occupied(from: current + 1)
            }
            return current
        }

        func value(at place: Int) -> JSON {
            switch source {
            case .document(let storage, let keyWords): JSON(storage, at: place + keyWords)
            case .built(let values): values[place]
            case .members(let members): members.values[place]
            }
        }

        /// Returns the key of a child. Only for objects.
        func key(at place: Int) -> String {
            switch source {
            case .document(let storage, _): storage.tape.string(at: place)
            case .built: ""
            case .members(let members): members.keys[place]
            }
        }
    }
}
