/// The parameters of one call, in order: what transforms, signing and encryption of parameters work on.
///
/// A name may occur more than once, which queries allow. A literal takes any `Encodable` value; one that cannot be
/// encoded is an error when the list is used (``validate()``), a `nil` optional is left out.
///
/// ```swift
/// var list: ParameterList = ["id": 7, "page": 2, "location": location]
/// list["sign"] = .string(signature(of: list.sorted()))
/// ```
public struct ParameterList: Sendable, Equatable {
    private var parameters: [Parameter]

    public init() { parameters = [] }

    public init(_ parameters: [Parameter]) { self.parameters = parameters }

    /// The value of the first parameter of that name. Setting replaces it where it stands and drops its namesakes,
    /// or appends it; `nil` removes all of that name.
    public subscript(name: String) -> ParameterValue? {
        get { first(named: name)?.value }
        set {
            guard let newValue else { return remove(name) }
            var parameter = first(named: name) ?? Parameter(name, newValue)
            parameter.value = newValue
            set(Parameter(name, newValue, placement: parameter.placement, isSecret: parameter.isSecret))
        }
    }

    /// The first parameter of that name.
    public func first(named name: String) -> Parameter? { parameters.first { $0.name == name } }

    /// Puts a parameter in the place of the first of that name and drops its namesakes, or appends it.
    public mutating func set(_ parameter: Parameter) {
        guard let index = parameters.firstIndex(where: { $0.name == parameter.name }) else {
            return parameters.append(parameter)
        }
        parameters[index] = parameter
        var position = -1
        parameters.removeAll { other in
            position += 1
            return position > index && other.name == parameter.name
        }
    }

    /// Encodes a value and puts it in the place of the first of that name, or appends it; a `nil` optional removes it.
    ///
    /// Throws `TarmacError(.invalidParameter)` naming the parameter when the value cannot be encoded.
    public mutating func set(
        _ name: String, to value: some Encodable & Sendable, placement: Parameter.Placement = .automatic,
        isSecret: Bool = false
    ) throws(TarmacError) {
        let encoded = try ParameterEncoder().parameters(name, value)
        if encoded.isEmpty { remove(name) }
        for var parameter in encoded {
            if parameter.placement == .automatic { parameter.placement = placement }
            parameter.isSecret = parameter.isSecret || isSecret
            set(parameter)
        }
    }

    /// Removes every parameter of that name.
    public mutating func remove(_ name: String) { parameters.removeAll { $0.name == name } }

    /// The same parameters in the order of their names' UTF-8, namesakes in the order they have. Members of objects
    /// are not touched.
    public func sorted() -> ParameterList { ParameterList(Parameter.sorted(parameters)) }

    /// Throws what kept a value of the literal from being encoded.
    public func validate() throws(TarmacError) {
        for parameter in parameters {
            if let failure = parameter.failure { throw failure }
        }
    }
}

extension ParameterList: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, any Encodable & Sendable)...) {
        let encoder = ParameterEncoder()
        parameters = []
        parameters.reserveCapacity(elements.count)
        for (name, value) in elements {
            do throws(TarmacError) {
                parameters += try encoder.parameters(name, value)
            } catch {
                parameters.append(Parameter(name, failure: error))
            }
        }
    }
}

extension ParameterList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    public var startIndex: Int { parameters.startIndex }
    public var endIndex: Int { parameters.endIndex }
    public subscript(position: Int) -> Parameter {
        get { parameters[position] }
        set { parameters[position] = newValue }
    }
    public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Parameter>) {
        parameters.replaceSubrange(range, with: elements)
    }
}

extension ParameterList: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names and placements, no values.
    public var description: String { "[\(parameters.map(\.description).joined(separator: ", "))]" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Parameter {
    /// In the order of the names' UTF-8, which is the one every language computes alike.
    static func sorted(_ parameters: [Parameter]) -> [Parameter] {
        let isSorted = zip(parameters, parameters.dropFirst()).allSatisfy { !$1.precedes($0) }
        if isSorted { return parameters }
        return parameters.enumerated().sorted { left, right in
            if left.element.precedes(right.element) { return true }
            return !right.element.precedes(left.element) && left.offset < right.offset
        }.map(\.element)
    }

    private func precedes(_ other: Parameter) -> Bool { name.utf8.lexicographicallyPrecedes(other.name.utf8) }
}
