/// The encoder of ``ParameterEncoder``, with one node for each value that is not a scalar.
///
/// Containers write into their node, so that a subclass and its superclass may share one. Nothing outlives the
/// call to `encode`, and a child never holds its parent.
final class ParameterNode: Encoder {
    enum Kind { case none, single, object, array }

    /// The settings that property wrappers make for the value.
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
    /// Containers that were passed to the value, with the positions of their values. They are read together
    /// with this node.
    var pending: [(index: Int, node: ParameterNode)] = []
    /// Placed parameters of nested values, which move up to the root.
    var lifted: [Parameter] = []
    /// The fault of a function that cannot throw.
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

    /// Sets a value that is already in its final form.
    func adopt(_ value: ParameterValue) {
        become(.single)
        single = value
    }

    /// Adds parameters that are already in their final form.
    func adopt(_ list: ParameterList) throws(TarmacError) {
        try list.validate()
        become(.object)
        members.append(contentsOf: list)
    }

    /// Applies the settings of a property wrapper. The outer wrapper comes first, and its name takes
    /// precedence.
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

    /// Returns a container that the value fills after this call.
    func pendingChild(_ key: some CodingKey) -> ParameterNode {
        let child = ParameterNode(parent: link, key: key, depth: depth + 1)
        // Nodes below a fault have no path of their own, because the cost would grow with the square of the
        // depth.
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
