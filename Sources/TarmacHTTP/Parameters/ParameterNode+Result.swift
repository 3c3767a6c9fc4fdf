// Reads a node after its value has been encoded. Only this code reads the containers that were passed to the
// value.

extension ParameterNode {
    func encodeRoot<T: Encodable>(_ value: T, isBody: Bool = false) throws -> [Parameter] {
        try encode(value)
        if let failure { throw failure }
        if isBody, kind == .array, let whole = try finish() { return [Parameter("\(T.self)", whole, placement: .body)] + lifted }
        if kind == .single, case .object(let members) = single { return members }
        if kind == .single, case .null = single { return [] }
        guard kind == .none || kind == .object else { throw fault("\(T.self) does not encode as an object with named fields") }
        return try finishRoot()
    }

    func encodeMember<T: Encodable>(_ value: T, named name: String) throws -> [Parameter] {
        become(.object)
        try append(value, forKey: ParameterKey(name))
        return try finishRoot()
    }

    func encodeLone<T: Encodable>(_ value: T) throws -> ParameterValue {
        try encodeSingle(value)
        let value = try finish()
        guard lifted.isEmpty else { throw fault("its fields cannot be placed here") }
        return value ?? .null
    }

    private func finishRoot() throws -> [Parameter] {
        try settle()
        if !lifted.isEmpty {
            members += lifted
            try ParameterDuplicates.resolve(&members)
        }
        return members
    }

    /// Returns the value, or `nil` if it is an absent optional or consists only of placed fields.
    private func finish() throws -> ParameterValue? {
        try settle()
        switch kind {
        case .none: return mark.isWrapped ? nil : .object([])
        case .single: return single
        case .array: return .array(elements)
        case .object: return finishObject()
        }
    }

    private func finishObject() -> ParameterValue? {
        guard members.contains(where: \.placement.leavesItsObject) || !lifted.isEmpty else { return .object(members) }
        lifted += members.filter(\.placement.leavesItsObject)
        members.removeAll(where: \.placement.leavesItsObject)
        return members.isEmpty ? nil : .object(members)
    }

    private func settle() throws {
        if let failure { throw failure }
        if !pending.isEmpty { try settlePending() }
        if isDictionary { members = Parameter.sorted(members) }
        if members.count > 1 { try ParameterDuplicates.resolve(&members) }
    }

    private func settlePending() throws {
        var gone: [Int] = []
        for (index, child) in pending {
            if kind == .array {
                elements[index] = try element(child)
            } else if let parameter = try parameter(child, members[index].name) {
                members[index] = parameter
            } else {
                gone.append(index)
            }
        }
        pending = []
        for index in gone.reversed() { members.remove(at: index) }
    }

    func parameter(_ child: ParameterNode, _ name: String) throws -> Parameter? {
        guard let value = try child.finish() else {
            lifted += child.lifted
            return nil
        }
        lifted += child.lifted
        let mark = child.mark
        return Parameter(mark.name ?? name, value, placement: mark.placement, isSecret: mark.isSecret)
    }

    func element(_ child: ParameterNode) throws -> ParameterValue {
        let value = try child.finish()
        guard child.lifted.isEmpty, !child.mark.placement.leavesItsObject else {
            throw child.fault("a field inside an array cannot be placed elsewhere")
        }
        if child.mark.isSecret { mark.isSecret = true }
        return value ?? .null
    }
}

extension Parameter.Placement {
    /// Whether a field with this placement leaves the object that declares it.
    var leavesItsObject: Bool {
        switch self {
        case .automatic, .field: false
        case .path, .query, .header, .body: true
        }
    }
}
