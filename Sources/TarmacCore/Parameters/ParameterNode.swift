/// The encoder behind ``ParameterEncoder``: one node for one value that is not a scalar.
///
/// Containers write into the node they came from, so that a subclass and its superclass may share one. Nothing escapes
/// the call to `encode`, and a child never holds its parent.
final class ParameterNode: Encoder {
    enum Kind { case none, single, object, array }

    /// What property wrappers say about the value.
    struct Mark {
        var placement: Parameter.Placement = .automatic
        var name: String?
        var isSecret = false
        var isWrapped = false
    }

    private let parent: ParameterLink?
    private let key: (any CodingKey)?
    private var depth: Int
    private(set) var kind = Kind.none
    var mark = Mark()
    var single = ParameterValue.null
    var members: [Parameter] = []
    var elements: [ParameterValue] = []
    var isDictionary = false
    /// Containers handed out, to be read when this node is: where their values go, and they.
    var pending: [(index: Int, node: ParameterNode)] = []
    /// Placed parameters of nested values, on their way to the root.
    var lifted: [Parameter] = []
    /// What a function that cannot throw found.
    var failure: ParameterFault?

    init() {
        parent = nil
        key = nil
        depth = 0
    }

    private init(parent: ParameterLink?, key: any CodingKey, depth: Int) {
        self.parent = parent
        self.key = key
        self.depth = depth
    }

    // MARK: Encoder

    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var codingPath: [any CodingKey] { ParameterLink.path(link) }
    private var link: ParameterLink? { key.map { ParameterLink(parent: parent, key: $0) } }
    var count: Int { kind == .array ? elements.count : members.count }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        become(.object)
        if ObjectIdentifier(type) == ParameterDictionaryProbe.keyType { isDictionary = true }
        return KeyedEncodingContainer(ParameterKeyedContainer<Key>(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        become(.array)
        return ParameterUnkeyedContainer(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ParameterSingleValueContainer(node: self)
    }

    func become(_ kind: Kind) {
        if self.kind == .none {
            self.kind = kind
            if kind == .object { members.reserveCapacity(6) }
        } else if self.kind != kind || kind == .single {
            failure = fault("its encode(to:) asks for more than one kind of container")
        }
    }

    // MARK: Writing

    func append<T: Encodable>(_ value: T, forKey key: some CodingKey) throws {
        if let scalar = try scalar(value, key) {
            members.append(Parameter(key.stringValue, scalar))
        } else if T.self == PlacedScalar.self, let placed = value as? PlacedScalar {
            if let reason = placed.value.fault { throw ParameterFault(codingPath + [key], reason) }
            members.append(placed.parameter(key))
        } else if let parameter = try parameter(value, forKey: key) {
            members.append(parameter)
        }
    }

    func appendNil(forKey key: some CodingKey) { members.append(Parameter(key.stringValue, .null)) }

    func append<T: Encodable>(_ value: T) throws {
        if let scalar = try scalar(value, ParameterKey(index: elements.count)) {
            elements.append(scalar)
        } else {
            let key = ParameterKey(index: elements.count)
            let child = try child(key)
            try child.encode(value)
            elements.append(try element(child))
        }
    }

    func appendNil() { elements.append(.null) }

    func encodeSingle<T: Encodable>(_ value: T) throws {
        if let scalar = ParameterValue.scalar(value) {
            if let reason = scalar.fault { throw fault(reason) }
            adopt(scalar)
        } else {
            try deeper { try encode(value) }
        }
    }

    func encodeSingleNil() { adopt(.null) }

    /// Takes a value that is already in its final form.
    func adopt(_ value: ParameterValue) {
        become(.single)
        single = value
    }

    /// Takes parameters that are already in their final form.
    func adopt(_ list: ParameterList) throws(TarmacError) {
        try list.validate()
        become(.object)
        members.append(contentsOf: list)
    }

    /// Takes what a property wrapper says. The outer wrapper comes first, and its name wins.
    func place(_ placement: Parameter.Placement, name: String?, isSecret: Bool) throws {
        if placement != .automatic {
            guard mark.placement == .automatic else {
                throw fault("it is placed both as \(mark.placement.rawValue) and as \(placement.rawValue)")
            }
            mark.placement = placement
        }
        mark.name = mark.name ?? name
        mark.isSecret = mark.isSecret || isSecret
        mark.isWrapped = true
    }

    // MARK: Children

    /// A container that is filled after it was handed out.
    func pendingChild(_ key: some CodingKey) -> ParameterNode {
        let child = ParameterNode(parent: link, key: key, depth: depth + 1)
        // Below a fault nothing is worth a path of its own, which would cost the square of the depth.
        child.failure = failure ?? (depth >= ParameterEncoder.depthLimit ? child.fault(ParameterFault.tooDeep) : nil)
        pending.append((count, child))
        if kind == .array { elements.append(.null) } else { members.append(Parameter(key.stringValue, .null)) }
        return child
    }

    private func child(_ key: some CodingKey) throws -> ParameterNode {
        if depth >= ParameterEncoder.depthLimit { throw ParameterFault(codingPath + [key], ParameterFault.tooDeep) }
        return ParameterNode(parent: link, key: key, depth: depth + 1)
    }

    private func deeper(_ body: () throws -> Void) throws {
        if depth >= ParameterEncoder.depthLimit { throw fault(ParameterFault.tooDeep) }
        depth += 1
        defer { depth -= 1 }
        try body()
    }

    func encode<T: Encodable>(_ value: T) throws {
        try value.encode(to: self)
        if kind == .array, value is any UnorderedParameter { elements = ParameterValue.sorted(elements) }
    }

    private func scalar<T>(_ value: T, _ key: @autoclosure () -> some CodingKey) throws -> ParameterValue? {
        guard let scalar = ParameterValue.scalar(value) else { return nil }
        if let reason = scalar.fault { throw ParameterFault(codingPath + [key()], reason) }
        return scalar
    }

    private func parameter<T: Encodable>(_ value: T, forKey key: some CodingKey) throws -> Parameter? {
        let child = try child(key)
        try child.encode(value)
        guard let parameter = try parameter(child, key.stringValue) else { return nil }
        if child.mark.isWrapped, case .null = parameter.value, (value as? any AbsentParameter)?.isAbsentParameter == true {
            return nil
        }
        return parameter
    }

    func fault(_ reason: String) -> ParameterFault { ParameterFault(codingPath, reason) }
}
