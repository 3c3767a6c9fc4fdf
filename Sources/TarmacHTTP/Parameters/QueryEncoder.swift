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
/// options.query = encoder                                    // "tag%5B%5D=a&tag%5B%5D=b&page=2"
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

    /// The form of a null.
    public enum Nils: Sendable, Hashable, CaseIterable {
        /// The parameter is omitted. This is the default.
        case omitted
        /// `a=`.
        case emptyValue
        /// `a`.
        case keyOnly
    }

    /// The form of arrays. Default: ``Arrays/repeatKey``.
    public var arrays: Arrays
    /// Whether booleans are `1` and `0`. Default: `false`, `true` and `false`.
    public var numericBooleans: Bool
    /// The form of dates. Default: ``ParameterDateStrategy/iso8601``.
    public var dates: ParameterDateStrategy
    /// The form of nulls. Default: ``Nils/omitted``.
    public var nils: Nils
    /// Whether the member of an object is `a.b=1`. Default: `false`, the key in brackets: `a[b]=1`.
    public var dottedNames: Bool
    /// Whether a space is `+`. Default: `false`, `%20`. A plus sign always becomes `%2B`.
    public var plusForSpaces: Bool
    /// Whether parameters and the members of objects are sorted by the UTF-8 of their names. Default: `false`, the given order.
    public var sortsNames: Bool

    public init(
        arrays: Arrays = .repeatKey, numericBooleans: Bool = false, dates: ParameterDateStrategy = .iso8601,
        nils: Nils = .omitted, dottedNames: Bool = false, plusForSpaces: Bool = false, sortsNames: Bool = false
    ) {
        self.arrays = arrays
        self.numericBooleans = numericBooleans
        self.dates = dates
        self.nils = nils
        self.dottedNames = dottedNames
        self.plusForSpaces = plusForSpaces
        self.sortsNames = sortsNames
    }

    /// Returns the query without its question mark, with all parameters whatever their placement. It is empty
    /// if there are none.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` with the name of the parameter, for a number that is not
    ///   finite, a joined array with elements that are arrays or objects, or more than
    ///   ``ParameterEncoder/depthLimit`` levels.
    package func encode(_ parameters: ParameterList) throws(TarmacError) -> String {
        try QueryWriter.text(of: parameters, strategies: self, syntax: plusForSpaces ? .queryWithPlus : .query)
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
            "arrays \(arrays)", numericBooleans ? "numericBooleans" : "", "dates \(dates)", "nils \(nils)", dottedNames ? "dottedNames" : "",
            plusForSpaces ? "plusForSpaces" : "", sortsNames ? "sortsNames" : "",
        ]
    }
}
