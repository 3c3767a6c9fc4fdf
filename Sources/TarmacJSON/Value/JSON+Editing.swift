extension JSON {
    /// Removes the member called `key`; nothing happens if there is none.
    public mutating func remove(_ key: String) {
        guard kind == .object else { return }
        var members = editableMembers
        members[key] = Optional.none
        node = .object(members)
    }

    /// Removes the element at `index`; nothing happens if there is none.
    public mutating func remove(at index: Int) {
        guard var elements = array, elements.indices.contains(index) else { return }
        node = .null
        elements.remove(at: index)
        node = .array(elements)
    }

    /// Adds an element at the end; makes an array of `null` and of missing values, nothing of others.
    public mutating func append(_ element: JSON) {
        guard kind == .array || kind == .null || kind == nil else { return }
        var elements = array ?? []
        node = .null
        elements.append(element)
        node = .array(elements)
    }

    /// Puts the members of `other` over those of this object, level by level (RFC 7396, JSON merge patch):
    /// `null` removes, objects merge, everything else replaces.
    public mutating func merge(_ patch: JSON) {
        guard patch.kind == .object else {
            self = patch
            return
        }
        if kind != .object { node = .object(MemberList()) }
        for (key, value) in patch.members {
            if value.isNull { remove(key) } else { self[key].merge(value) }
        }
    }

    // MARK: Setters

    mutating func setMember(_ key: String, _ value: JSON) {
        var members = kind == .object ? editableMembers : MemberList()
        // Lets go of the old reference, so that the edit below does not copy.
        node = .null
        members[key] = value.isMissing ? Optional.none : value
        node = .object(members)
    }

    mutating func setElement(_ index: Int, _ value: JSON) {
        guard kind == .array || kind == .null || kind == nil else { return }
        var elements = array ?? []
        guard index >= 0, index <= elements.count, !value.isMissing else { return }
        node = .null
        if index == elements.count { elements.append(value) } else { elements[index] = value }
        node = .array(elements)
    }

    mutating func set(_ value: JSON, at path: ArraySlice<JSONPath.Component>) {
        guard let first = path.first else {
            self = value
            return
        }
        var child = child(first)
        child.set(value, at: path.dropFirst())
        switch first {
        case .key(let key): setMember(key, child)
        case .index(let index): setElement(index, child)
        }
    }

    /// The members, taken out of the document one level deep.
    private var editableMembers: MemberList {
        if case .object(let members) = node { return members }
        var list = MemberList()
        for (key, value) in members { list.appendIfNew(key, value) }
        return list
    }
}
