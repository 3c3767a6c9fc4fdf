/// An error in an XML document with its position. It quotes nothing of the document but names of elements.
public struct XMLFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error.
    public let reason: String
    /// The line, from 1; `nil` if there is none.
    public let line: Int?
    /// The position in the line, from 1.
    public let column: Int?

    init(reason: String, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.line = line
        self.column = column
    }

    public var description: String { line.map { "\(reason), line \($0), column \(column ?? 0)" } ?? reason }
}
