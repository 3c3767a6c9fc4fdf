/// An error in a JSON text or in a value, with its position and the expected content.
///
/// It is safe to log: its quotes of the document are short and show no value
/// below a key in ``JSONDocument/Options/maskedKeys``. The description shows both ends of a long path, and the
/// beginning of a long key.
public struct JSONError: Error, Sendable, Hashable {
    /// The kind of error.
    package var code: Code

    /// The path in the document; `$` is the root.
    public var path: JSONPath

    /// The number of bytes before the fault; nil for values without a text.
    public var offset: Int?

    /// The fault's line, from 1.
    public var line: Int?

    /// The position of the fault in its line in bytes, from 1.
    public var column: Int?

    /// The expected content, in words.
    package var expected: String?

    /// The content found, in words.
    package var found: String?

    /// The text before the fault, at most 48 bytes on one line.
    package var snippet: String?

    /// Creates an error. Only `code` is required.
    package init(
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
