extension JSON {
    /// The elements of an array, in order; empty for other values. No array is created for those of a document.
    public var elements: some Sequence<JSON> & Sendable { Elements(self) }

    /// The members of an object in the order of the text, repeated keys included; empty for other values.
    public var members: some Sequence<(key: String, value: JSON)> & Sendable { Members(self) }

    /// The number of elements or members; 0 for other values. In a document it is counted by a walk, once in a
    /// container of many.
    public var count: Int {
        switch node {
        case .view(let storage, let index) where storage.tape[index].isContainer:
            storage.childCount(of: index)
        case .array(let elements): elements.count
        case .object(let members): members.count
        default: 0
        }
    }

    /// The elements of a ``JSON`` array.
    package struct Elements: Sequence, IteratorProtocol, Sendable {
        private var cursor: Cursor

        init(_ json: JSON) {
            cursor = Cursor(json, of: .array)
        }

        package mutating func next() -> JSON? { cursor.next().map(cursor.value) }
    }

    /// The members of a ``JSON`` object.
    package struct Members: Sequence, IteratorProtocol, Sendable {
        private var cursor: Cursor

        init(_ json: JSON) {
            cursor = Cursor(json, of: .object)
        }

        package mutating func next() -> (key: String, value: JSON)? {
            cursor.next().map { (cursor.key(at: $0), cursor.value(at: $0)) }
        }
    }
}
