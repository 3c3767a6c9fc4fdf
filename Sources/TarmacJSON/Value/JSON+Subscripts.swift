extension JSON {
    /// The first member with a key. It is missing if there is none, or if this is not an object.
    ///
    /// Setting adds or replaces the member. `null`, missing and other values become an object. Setting a missing value
    /// removes the member, if there is one.
    public subscript(key: String) -> JSON {
        get { member(key) }
        set { setMember(key, newValue) }
        _modify {
            var value = takeMember(key)
            let before = ReadPlace(value)
            defer { putBack(value, before) { $0.setMember(key, $1) } }
            yield &value
        }
    }

    /// The element at an index from 0. It is missing if the index is out of range, or if this is not an array.
    ///
    /// In a document, the first look-ups in a long array make an index of it; ``elements`` visits all without one.
    ///
    /// Setting replaces the element, or appends at the array's count. An index beyond it or below 0 and a missing value
    /// change nothing. `null` and missing values become an array.
    public subscript(index: Int) -> JSON {
        get { element(index) }
        set { setElement(index, newValue) }
        _modify {
            var value = takeElement(index)
            let before = ReadPlace(value)
            defer { putBack(value, before) { $0.setElement(index, $1) } }
            yield &value
        }
    }

    /// The value at the end of a path from this value.
    public subscript(path: JSONPath) -> JSON {
        get { path.components.reduce(self) { $0.child($1) } }
        set { set(newValue, at: path.components[...]) }
    }

    /// The value at the end of a path: `json["data", "items", 3]`.
    public subscript(first: JSONPath.Component, second: JSONPath.Component, rest: JSONPath.Component...) -> JSON {
        get { self[JSONPath([first, second] + rest)] }
        set { self[JSONPath([first, second] + rest)] = newValue }
    }

    /// The member with a name: `json.user.name` for `json["user"]["name"]`. Names of this type's own properties
    /// (`string`, `int`, `path`, `description` …) need the subscript.
    public subscript(dynamicMember key: String) -> JSON {
        get { self[key] }
        set { self[key] = newValue }
        _modify { yield &self[key] }
    }

    // MARK: Reading

    func child(_ component: JSONPath.Component) -> JSON {
        switch component {
        case .key(let key): member(key)
        case .index(let index): element(index)
        }
    }

    private func member(_ key: String) -> JSON {
        switch node {
        case .view(let storage, let index) where storage.tape[index].kind == .object:
            if let value = storage.value(forKey: key, of: index) { return JSON(storage, at: value) }
        case .object(let members):
            if let value = members[key] { return value }
        default: break
        }
        return missing(.key(key))
    }

    private func element(_ position: Int) -> JSON {
        switch node {
        case .view(let storage, let index) where storage.tape[index].kind == .array:
            if let value = storage.element(position, of: index) { return JSON(storage, at: value) }
        case .array(let elements):
            if elements.indices.contains(position) { return elements[position] }
        default: break
        }
        return missing(.index(position))
    }

    private func missing(_ step: JSONPath.Component) -> JSON {
        // The first step without a value is the one to name.
        if case .missing = node { return self }
        return JSON(.missing(MissingValue(origin: self, step: step)))
    }
}
