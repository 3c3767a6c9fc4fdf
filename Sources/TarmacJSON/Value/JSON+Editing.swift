extension JSON {
    /// Removes the member called `key`; nothing happens if there is none.
    public mutating func remove(_ key: String) {
        guard kind == .object, !self[key].isMissing else { return }
        withMembers { $0[key] = Optional.none }
    }

    /// Removes the element at `index`; nothing happens if there is none.
    public mutating func remove(at index: Int) {
        guard kind == .array, !self[index].isMissing else { return }
        withElements { _ = $0.remove(at: index) }
    }

    /// Adds an element at the end; makes an array of `null` and of missing values, nothing of others. What is missing is
    /// not added.
    public mutating func append(_ element: JSON) {
        guard kind == .array || kind == .null || kind == nil, !element.isMissing else { return }
        withElements { $0.append(element) }
    }

    // MARK: Setters

    mutating func setMember(_ key: String, _ value: JSON) {
        if value.isMissing { remove(key) } else { withMembers { $0[key] = value } }
    }

    /// The member called `key`, as reading gives it, leaving null in its place: it is changed and put back. In a document
    /// it stays where it is.
    mutating func takeMember(_ key: String) -> JSON {
        let current = self[key]
        guard case .object = node, !current.isMissing else { return current }
        return withMembers { $0.take(key) ?? current }
    }

    /// The same with the element at `index`.
    mutating func takeElement(_ index: Int) -> JSON {
        let current = self[index]
        guard case .array = node, !current.isMissing else { return current }
        return withElements { elements in
            defer { elements[index] = .null }
            return elements[index]
        }
    }

    /// Puts back what was taken, by `set`; not what was only read, and is as it was: an edit that does nothing must not make
    /// a container of another value, or leave out what a document has twice.
    mutating func putBack(_ value: JSON, _ before: ReadPlace, _ set: (inout JSON, JSON) -> Void) {
        switch (before, value.node) {
        case (.nowhere, .missing): return
        case (.document(let storage, let index), .view(let other, let now)) where !isBuilt && storage === other && index == now: return
        default: set(&self, value)
        }
    }

    mutating func setElement(_ index: Int, _ value: JSON) {
        guard kind == .array || kind == .null || kind == nil, !value.isMissing, index >= 0, index <= elementCount else { return }
        withElements { if index == $0.count { $0.append(value) } else { $0[index] = value } }
    }

    mutating func set(_ value: JSON, at path: ArraySlice<JSONPath.Component>) {
        guard let first = path.first else {
            self = value
            return
        }
        switch first {
        case .key(let key): self[key].set(value, at: path.dropFirst())
        case .index(let index): self[index].set(value, at: path.dropFirst())
        }
    }

    // The value lets go of its content while it is changed, so that it is not copied.

    mutating func withMembers<Result>(_ body: (inout MemberList) -> Result) -> Result {
        var members = editableMembers
        node = .null
        defer { node = .object(members) }
        return body(&members)
    }

    private mutating func withElements<Result>(_ body: (inout [JSON]) -> Result) -> Result {
        var elements = array ?? []
        node = .null
        defer { node = .array(elements) }
        return body(&elements)
    }

    private var elementCount: Int { kind == .array ? count : 0 }

    /// The members, taken out of the document one level deep; none of another value.
    private var editableMembers: MemberList {
        if case .object(let members) = node { return members }
        var list = MemberList()
        for (key, value) in members { list.appendIfNew(key, value) }
        return list
    }
}
