/// The differences between a query and a form: the bytes that stay unchanged and the form of a space.
struct QuerySyntax: Sendable {
    let alphabet: QueryAlphabet
    let writesPlus: Bool
    /// The text that joins ``QueryEncoder/Arrays/commaSeparated`` elements: a delimiter in a query (RFC 3986
    /// §2.2), data in a form.
    let comma: [UInt8]

    static let query = QuerySyntax(alphabet: .unreserved, writesPlus: false, comma: [UInt8(ascii: ",")])
    static let queryWithPlus = QuerySyntax(alphabet: .unreserved, writesPlus: true, comma: [UInt8(ascii: ",")])
    static let form = QuerySyntax(alphabet: .form, writesPlus: true, comma: Array("%2C".utf8))

    func append(_ text: String, to bytes: inout [UInt8]) {
        alphabet.append(text, to: &bytes, writesPlus: writesPlus)
    }
}
