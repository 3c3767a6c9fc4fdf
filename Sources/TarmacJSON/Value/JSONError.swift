/// What is wrong with a JSON text or a value in it, where, and what was expected instead.
///
/// Safe to log: the only text quoted from the document is ``found`` and ``snippet``, both bounded, and
/// neither shows a value below a key of ``JSONDocument/Options/maskedKeys``. Of a long path the description shows both
/// ends, of a long key the beginning.
public struct JSONError: Error, Sendable, Hashable {
    /// The kind of fault.
    public var code: Code

    /// Where in the document; `$` is the root.
    public var path: JSONPath

    /// Bytes before the fault; nil for values that come from no text.
    public var offset: Int?

    /// The fault's line, from 1.
    public var line: Int?

    /// The fault's place in its line in bytes, from 1.
    public var column: Int?

    /// What would have been right, in words.
    public var expected: String?

    /// What was there, in words.
    public var found: String?

    /// The text that leads to the fault, at most 48 bytes of it on one line.
    public var snippet: String?

    /// Makes an error; only `code` must be known.
    public init(
        _ code: Code, path: JSONPath = JSONPath(), offset: Int? = nil, line: Int? = nil, column: Int? = nil,
        expected: String? = nil, found: String? = nil, snippet: String? = nil
    ) {
        self.code = code
        self.path = path
        self.offset = offset
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
        self.snippet = snippet
    }
}

extension JSONError: CustomStringConvertible {
    /// One line: `expected integer, found string "7" at $.data.items[3].id, line 5, column 11 (offset 93)`.
    public var description: String {
        var text = code.phrase
        if let expected { text += ": expected \(expected)" }
        if let found { text += expected == nil ? ": found \(found)" : ", found \(found)" }
        text += " at \(path.shortened)"
        if let line, let column { text += ", line \(line), column \(column)" }
        if let offset { text += " (offset \(offset))" }
        if let snippet { text += " after `\(snippet)`" }
        return text
    }
}
