/// The parameters of a call, in order. Transforms, signatures and encryption of parameters work on this list.
///
/// A name may occur more than once, as in queries. A literal accepts any `Encodable` value and omits a `nil`
/// optional. A value that cannot be encoded causes an error when the list is used.
///
/// ```swift
/// var list: ParameterList = ["id": 7, "page": 2, "location": location]
/// list["sign"] = .string(signature(of: list.sorted()))
/// ```
public struct ParameterList: Sendable, Equatable {
    private var parameters: [Parameter]
    private(set) var names = ParameterNames()

    public init() { parameters = [] }

    public init(_ parameters: [Parameter]) { self.parameters = parameters }

    /// Makes parameters of the fields of a value; with `isBody`, an array is the whole body. An error is reported when
    /// the list is used.
    package init(of value: some Encodable, isBody: Bool) {
        do throws(TarmacError) { self = try ParameterEncoder().encode(value, isBody: isBody) } catch {
            parameters = [Parameter("value", failure: error)]
        }
    }

    /// The value of the first parameter with the name.
    ///
    /// Setting a value replaces that parameter in its place and removes the others of the same name, or appends
    /// a new parameter. Setting `nil` removes all parameters with the name.
    public subscript(name: String) -> ParameterValue? {
        get { first(named: name)?.value }
        set {
            guard let newValue else { return remove(name) }
            set(name) { Parameter(name, newValue, placement: $0?.placement ?? .automatic, isSecret: $0?.isSecret ?? false) }
        }
    }

    /// Returns the first parameter with the name.
    public func first(named name: String) -> Parameter? { names.place(of: name, in: parameters).map { parameters[$0] } }

    /// Replaces the first parameter of the same name and removes the others, or appends the parameter.
    public mutating func set(_ parameter: Parameter) { set(parameter.name) { _ in parameter } }

    private mutating func set(_ name: String, _ made: (Parameter?) -> Parameter) {
        names.prepare(parameters)
        guard let index = names.placeOrNext(of: name, in: parameters) else { return parameters.append(made(nil)) }
        parameters[index] = made(parameters[index])
        guard names.mayRepeat(name) else { return }
        let count = parameters.count
        var position = -1
        parameters.removeAll { other in
            position += 1
            return position > index && other.name == name
        }
        if parameters.count != count { names.reset() }
    }

    /// Encodes a value and replaces the first parameter with the name, or appends it. A `nil` optional removes
    /// the parameter.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` with the name of the parameter if the value cannot be
    ///   encoded.
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

    /// Removes every parameter with the name.
    public mutating func remove(_ name: String) {
        guard names.place(of: name, in: parameters) != nil else { return }
        names.reset()
        parameters.removeAll { $0.name == name }
    }

    /// Returns the parameters sorted by the UTF-8 of their names. Parameters of the same name keep their order,
    /// and members of objects are not sorted.
    package func sorted() -> ParameterList { ParameterList(Parameter.sorted(parameters)) }

    /// Throws the error of the first value that could not be encoded.
    package func validate() throws(TarmacError) {
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
        set {
            if parameters[position].name != newValue.name { names.reset() }
            parameters[position] = newValue
        }
    }
    public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Parameter>) {
        names.reset()
        parameters.replaceSubrange(range, with: elements)
    }
    public mutating func append(_ parameter: Parameter) {
        names.append(parameter.name, at: parameters.count)
        parameters.append(parameter)
    }

    public static func == (left: ParameterList, right: ParameterList) -> Bool { left.parameters == right.parameters }
}

extension ParameterList: MaskedReflectable, CustomDebugStringConvertible {
    /// The names and the placements, without values.
    public var description: String { "[\(parameters.map(\.description).joined(separator: ", "))]" }
    public var debugDescription: String { description }
}

extension Parameter {
    /// Sorts parameters by the UTF-8 of their names. Every programming language can compute this order in the
    /// same way.
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
