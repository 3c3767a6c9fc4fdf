extension JSON {
    /// The member called `key`: the first of equal ones. Missing if there is none or this is no object.
    ///
    /// Setting makes an object of `null` and of missing values, and adds or replaces the member; on other values it
    /// replaces the value by an object. Setting what is missing removes the member, and changes nothing where there is none.
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

    /// The element at `index`, from 0. Missing beyond the end, below 0, and if this is no array. In a document it is found by
    /// walking over those before it; ``elements`` goes over all of them in one walk.
    ///
    /// Setting replaces the element; at the array's count it appends; further beyond, and below 0, it
    /// does nothing, and so does setting what is missing. On `null` and missing values it starts an array.
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

    /// The value at the end of `path`, seen from this one.
    public subscript(path: JSONPath) -> JSON {
        get { path.components.reduce(self) { $0.child($1) } }
        set { set(newValue, at: path.components[...]) }
    }

    /// The value at the end of `components`: `json["data", "items", 3]`.
    public subscript(first: JSONPath.Component, second: JSONPath.Component, rest: JSONPath.Component...) -> JSON {
        get { self[JSONPath([first, second] + rest)] }
        set { self[JSONPath([first, second] + rest)] = newValue }
    }

    /// `json.user.name` for `json["user"]["name"]`. Names of this type's own properties (`string`, `int`,
    /// `path`, `description` …) need the subscript.
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
            if let value = storage.tape.value(forKey: key, of: index) { return JSON(storage, at: value) }
        case .object(let members):
            if let value = members[key] { return value }
        default: break
        }
        return missing(.key(key))
    }

    private func element(_ position: Int) -> JSON {
        switch node {
        case .view(let storage, let index) where storage.tape[index].kind == .array:
            if let value = storage.tape.element(position, of: index) { return JSON(storage, at: value) }
        case .array(let elements):
            if elements.indices.contains(position) { return elements[position] }
        default: break
        }
        return missing(.index(position))
    }

    private func missing(_ step: JSONPath.Component) -> JSON {
        // The first step that led nowhere is the one to name.
        if case .missing = node { return self }
        return JSON(.missing(MissingValue(origin: self, step: step)))
    }
}
