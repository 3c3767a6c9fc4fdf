/// Encodes parameters as a query, with a choice of forms for arrays, booleans, dates, `nil`, nested names and
/// spaces.
///
/// Names and values keep the unreserved characters of RFC 3986 §2.3. All other characters, including the
/// brackets of nested names, are percent-encoded as UTF-8. The defaults fit most servers and equal the result
/// of `{?list*}` in a URI template.
///
/// ```swift
/// var encoder = QueryEncoder()
/// encoder.arrays = .brackets
/// try encoder.encode(["tag": ["a", "b"], "page": 2])      // "tag%5B%5D=a&tag%5B%5D=b&page=2"
/// ```
public struct QueryEncoder: Sendable {
    /// The form of an array. An empty array is omitted.
    public enum Arrays: Sendable, Hashable, CaseIterable {
        /// `a=1&a=2`. This is the default. Elements that are objects or arrays are numbered, as with
        /// ``indexed``.
        case repeatKey
        /// `a[]=1&a[]=2`, as for PHP and Rails.
        case brackets
        /// Adds the index to the name: `a[0]=1&a[1]=2`.
        case indexed
        /// `a=1,2`. A comma inside a value becomes `%2C`. Elements must be scalars.
        case commaSeparated
        /// `a=1%7C2`. Elements must be scalars.
        case pipe
    }

    /// The form of a boolean.
    public enum Booleans: Sendable, Hashable, CaseIterable {
        /// `true` and `false`. This is the default.
        case literal
        /// `1` and `0`.
        case numeric

        func text(_ value: Bool) -> String {
            switch self {
            case .literal: value ? "true" : "false"
            case .numeric: value ? "1" : "0"
            }
        }
    }

    /// The form of a null.
    public enum Nils: Sendable, Hashable, CaseIterable {
        /// The parameter is omitted. This is the default.
        case omitted
        /// `a=`.
        case emptyValue
        /// `a`.
        case keyOnly
    }

    /// The form of the name of an object's member.
    public enum Nesting: Sendable, Hashable, CaseIterable {
        /// Adds the key in brackets: `a[b]=1`. Default.
        case brackets
        /// `a.b=1`.
        case dots
    }

    /// The form of a space. A plus sign always becomes `%2B`.
    public enum Spaces: Sendable, Hashable, CaseIterable {
        /// `%20`. This is the default.
        case percentEncoded
        /// `+`.
        case plus
    }

    /// The order of parameters and of the members of objects.
    public enum Order: Sendable, Hashable, CaseIterable {
        /// The given order. This is the default.
        case asGiven
        /// Sorted by the UTF-8 of the names.
        case sorted
    }

    /// The form of arrays. Default: ``Arrays/repeatKey``.
    public var arrays: Arrays
    /// The form of booleans. Default: ``Booleans/literal``.
    public var booleans: Booleans
    /// The form of dates. Default: ``ParameterDateStrategy/iso8601``.
    public var dates: ParameterDateStrategy
    /// The form of nulls. Default: ``Nils/omitted``.
    public var nils: Nils
    /// The form of nested names. Default: ``Nesting/brackets``.
    public var nesting: Nesting
    /// The form of spaces. Default: ``Spaces/percentEncoded``.
    public var spaces: Spaces
    /// The order of parameters. Default: ``Order/asGiven``.
    public var order: Order

    public init(
        arrays: Arrays = .repeatKey, booleans: Booleans = .literal, dates: ParameterDateStrategy = .iso8601,
        nils: Nils = .omitted, nesting: Nesting = .brackets, spaces: Spaces = .percentEncoded, order: Order = .asGiven
    ) {
        self.arrays = arrays
        self.booleans = booleans
        self.dates = dates
        self.nils = nils
        self.nesting = nesting
        self.spaces = spaces
        self.order = order
    }

    /// Returns the query without its question mark, with all parameters whatever their placement. It is empty
    /// if there are none.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` with the name of the parameter, for a number that is not
    ///   finite, a joined array with elements that are arrays or objects, or more than
    ///   ``ParameterEncoder/depthLimit`` levels.
    public func encode(_ parameters: ParameterList) throws(TarmacError) -> String {
        try QueryWriter.text(of: parameters, strategies: self, syntax: spaces == .plus ? .queryWithPlus : .query)
    }
}

extension QueryEncoder: CustomStringConvertible {
    /// The settings that differ from the defaults, such as `arrays brackets, nils keyOnly`, or `standard` if
    /// none does.
    public var description: String {
        let changed = zip(forms, QueryEncoder().forms).filter { $0 != $1 }.map(\.0)
        return changed.isEmpty ? "standard" : changed.joined(separator: ", ")
    }

    private var forms: [String] {
        // Only the case is shown, because a closure has no description.
        let dates = if case .custom = dates { "custom" } else { "\(dates)" }
        return [
            "arrays \(arrays)", "booleans \(booleans)", "dates \(dates)", "nils \(nils)", "nesting \(nesting)", "spaces \(spaces)", "order \(order)",
        ]
    }
}
