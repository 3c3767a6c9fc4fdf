extension JSON {
    /// Removes the member with a key, if there is one.
    public mutating func remove(_ key: String) {
        guard kind == .object, !self[key].isMissing else { return }
        withMembers { $0[key] = Optional.none }
    }

    /// Removes the element at an index, if there is one.
    public mutating func remove(at index: Int) {
        guard kind == .array, !self[index].isMissing else { return }
        withElements { _ = $0.remove(at: index) }
    }

    /// Appends an element. `null` and a missing value become an array, and other values do not change. A missing
    /// element is not appended.
    public mutating func append(_ element: JSON) {
        guard kind == .array || kind == .null || kind == nil, !element.isMissing else { return }
        withElements { $0.append(element) }
    }

    // MARK: Setters

    mutating func setMember(_ key: String, _ value: JSON) {
        if value.isMissing { remove(key) } else { withMembers { $0[key] = value } }
    }

    /// Returns the member with a key as reading does, and leaves null in its place until it is put back. In a document
    /// the member stays.
    mutating func takeMember(_ key: String) -> JSON {
        let current = self[key]
        guard case .object = node, !current.isMissing else { return current }
        return withMembers { $0.take(key) ?? current }
    }

    /// Returns the element at an index in the same way.
    mutating func takeElement(_ index: Int) -> JSON {
        let current = self[index]
        guard case .array = node, !current.isMissing else { return current }
        return withElements { elements in
            defer { elements[index] = .null }
            return elements[index]
        }
    }

    /// Puts back a taken value with `set`, unless it was only read: an edit without a change must not turn another
    /// value into a container, or drop repeated members of a document.
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

    // Clears its own content during the change, so that the change does not copy it.

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

    /// The members, copied from the document one level deep; none for other values.
    private var editableMembers: MemberList {
        if case .object(let members) = node { return members }
        var list = MemberList()
        for (key, value) in members { list.appendIfNew(key, value) }
        return list
    }
}
