/// Writes parameters as a query: which forms of arrays, booleans, dates, nil, nested names and spaces the server
/// expects.
///
/// Names and values keep the unreserved characters of RFC 3986 §2.3; everything else is percent-encoded as UTF-8, the
/// brackets of nested names included. The defaults are what most servers read and what `{?list*}` of a URI template
/// writes.
///
/// ```swift
/// var encoder = QueryEncoder()
/// encoder.arrays = .brackets
/// try encoder.encode(["tag": ["a", "b"], "page": 2])      // "tag%5B%5D=a&tag%5B%5D=b&page=2"
/// ```
public struct QueryEncoder: Sendable {
    /// How an array is written. An empty one is left out.
    public enum Arrays: Sendable, Hashable, CaseIterable {
        /// `a=1&a=2`, the default. Elements that are objects or arrays are numbered, as with ``indexed``.
        case repeatKey
        /// `a[]=1&a[]=2`: PHP, Rails (XF-14).
        case brackets
        /// `a[0]=1&a[1]=2`.
        case indexed
        /// `a=1,2`; a comma inside a value is `%2C`. Elements must be scalars.
        case commaSeparated
        /// `a=1%7C2`. Elements must be scalars.
        case pipe
    }

    /// How a boolean is written.
    public enum Booleans: Sendable, Hashable, CaseIterable {
        /// `true` and `false`, the default.
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

    /// How a null is written.
    public enum Nils: Sendable, Hashable, CaseIterable {
        /// Not at all, the default.
        case omitted
        /// `a=`.
        case emptyValue
        /// `a` (XF-14).
        case keyOnly
    }

    /// How the name of an object's member is written.
    public enum Nesting: Sendable, Hashable, CaseIterable {
        /// `a[b]=1`, the default (XF-14).
        case brackets
        /// `a.b=1`.
        case dots
    }

    /// How a space is written. A plus sign is `%2B` in either case.
    public enum Spaces: Sendable, Hashable, CaseIterable {
        /// `%20`, the default.
        case percentEncoded
        /// `+`.
        case plus
    }

    /// In which order parameters, and the members of objects, are written.
    public enum Order: Sendable, Hashable, CaseIterable {
        /// As given, the default.
        case asGiven
        /// By the UTF-8 of their names (XF-14).
        case sorted
    }

    /// Default ``Arrays/repeatKey``.
    public var arrays: Arrays
    /// Default ``Booleans/literal``.
    public var booleans: Booleans
    /// Default ``ParameterDateStrategy/iso8601``.
    public var dates: ParameterDateStrategy
    /// Default ``Nils/omitted``.
    public var nils: Nils
    /// Default ``Nesting/brackets``.
    public var nesting: Nesting
    /// Default ``Spaces/percentEncoded``.
    public var spaces: Spaces
    /// Default ``Order/asGiven``.
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

    /// The query without its question mark, of all parameters whatever their placement; empty when there are none.
    ///
    /// Throws `TarmacError(.invalidParameter)` naming the parameter: a number that is not finite, an array of arrays
    /// or objects that is to be joined, more than ``ParameterEncoder/depthLimit`` levels.
    public func encode(_ parameters: ParameterList) throws(TarmacError) -> String {
        try QueryWriter.text(of: parameters, strategies: self, syntax: spaces == .plus ? .queryWithPlus : .query)
    }
}

extension QueryEncoder: CustomStringConvertible {
    /// What differs from the defaults, such as `arrays brackets, nils keyOnly`; `standard` when nothing does.
    public var description: String {
        let changed = zip(forms, QueryEncoder().forms).filter { $0 != $1 }.map(\.0)
        return changed.isEmpty ? "standard" : changed.joined(separator: ", ")
    }

    private var forms: [String] {
        // The case alone: a closure has nothing to show.
        let dates = if case .custom = dates { "custom" } else { "\(dates)" }
        return [
            "arrays \(arrays)", "booleans \(booleans)", "dates \(dates)", "nils \(nils)", "nesting \(nesting)", "spaces \(spaces)", "order \(order)",
        ]
    }
}
