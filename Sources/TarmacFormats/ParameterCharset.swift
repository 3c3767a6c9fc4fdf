public import TarmacCore

/// A character encoding for the parameters of a server that does not read UTF-8.
///
/// ```swift
/// let gbk = ParameterCharset("GBK") { $0.data(using: encoding).map(Array.init) }
/// options.urlFilters = [.query(in: gbk)]
/// options.bodyFormat = .form(in: gbk)
/// ```
/// The path of a URL stays UTF-8 (RFC 3987 §3.1).
public struct ParameterCharset: Sendable {
    /// The name that `explain` and errors show.
    public let name: String
    private let encode: @Sendable (String) -> [UInt8]?

    /// Makes an encoding.
    ///
    /// - Parameters:
    ///   - name: the name that `explain` and errors show.
    ///   - encode: returns the bytes of a text, or `nil` if the encoding lacks one of its characters. ASCII keeps its own bytes
    ///     and is not passed.
    public init(_ name: String, _ encode: @escaping @Sendable (String) -> [UInt8]?) {
        self.name = name
        self.encode = encode
    }

    /// Returns a query or form whose percent-encoded UTF-8 is replaced by this encoding.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` for a character that the encoding lacks.
    func recoded(_ text: String) throws(TarmacError) -> String {
        var (result, foreign): ([UInt8], [UInt8]) = ([], [])
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = PercentEncoding.byte(rest.prefix(2)), escaped > 0x7F {
                foreign.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                try append(&foreign, to: &result)
                result.append(byte)
            }
        }
        try append(&foreign, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Appends the characters outside ASCII, which are adjacent in `utf8`.
    private func append(_ utf8: inout [UInt8], to result: inout [UInt8]) throws(TarmacError) {
        if utf8.isEmpty { return }
        guard let bytes = encode(String(decoding: utf8, as: UTF8.self)) else {
            throw TarmacError(.invalidParameter, "a parameter has a character that \(name) lacks")
        }
        for byte in bytes { PercentEncoding.append(byte, to: &result) }
        utf8.removeAll()
    }
}

extension URLFilter where Self == ClosureURLFilter {
    /// Returns a filter that writes the query in another character encoding.
    public static func query(in charset: ParameterCharset) -> ClosureURLFilter {
        .filter { url, _ in try url.query.map { url.with(query: try charset.recoded($0)) } ?? url }
    }
}

extension BodyFormat {
    /// Returns the format of a form in another character encoding. Beside files, the fields are parts in this encoding.
    ///
    /// - Parameters:
    ///   - charset: the character encoding.
    ///   - strategies: the form of arrays, dates, `nil` and nested names, in place of ``Options/query``. Default: the defaults of
    ///     `QueryEncoder`.
    public static func form(in charset: ParameterCharset, _ strategies: QueryEncoder = QueryEncoder()) -> BodyFormat {
        BodyFormat(name: "form in \(charset.name)", isForm: true) { value throws(TarmacError) in
            let members: [Parameter]
            if case .object(let named) = value { members = named } else { members = [Parameter("", value)] }
            let text = try charset.recoded(try FormEncoder(strategies).encode(ParameterList(members)))
            return .text(text, contentType: FormEncoder.contentType)
        }
    }
}
