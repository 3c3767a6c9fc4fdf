extension JSON {
    /// How text is written; the names are those of Foundation's `JSONEncoder`.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Members ordered by the Unicode scalars of their keys, at every level.
        public static let sortedKeys = WritingOptions(rawValue: 1)
        /// One element a line, two spaces a level; beyond 64 levels no further.
        public static let prettyPrinted = WritingOptions(rawValue: 2)
        /// `/` instead of `\/`, which only text inside of HTML needs. Values of a document keep the form they came in.
        public static let withoutEscapingSlashes = WritingOptions(rawValue: 4)
    }

    /// The value as JSON text in UTF-8.
    /// - Parameter options: default: compact, members in their order, slashes unescaped.
    /// - Throws: ``JSONError`` with `.notRepresentable` for a number that is not finite, `.missing` for a
    ///   value that is not there.
    public func bytes(_ options: WritingOptions = .withoutEscapingSlashes) throws(JSONError) -> [UInt8] {
        try written(options).array
    }

    func written(_ options: WritingOptions) throws(JSONError) -> OutputBuffer {
        let output = OutputBuffer()
        var writer = JSONWriter(output: output, options: options)
        try writer.write(self)
        return output
    }

    /// The value as text of several lines, for people.
    public var prettyPrinted: String { text([.prettyPrinted, .withoutEscapingSlashes]) }

    func text(_ options: WritingOptions) -> String {
        do {
            return try written(options).string
        } catch {
            return isMissing ? "(missing)" : "(\(error))"
        }
    }
}

extension JSON {
    /// Compact text in which `substitute` gives the texts that stand for the values of some keys, whatever they are; nil
    /// for the value itself. In one pass over a document's value, without a tree.
    package func text(substituting substitute: (_ key: String) -> String?) -> String {
        guard case .view(let storage, let index) = node else {
            return (try? JSONDocument(bytes(), options: .built).root.text(substituting: substitute)) ?? description
        }
        let output = OutputBuffer()
        return withoutActuallyEscaping(substitute) { substitute in
            var writer = TapeWriter(
                storage.tape, TextLayout(output: output, options: .withoutEscapingSlashes), substitute: substitute)
            writer.write(index)
            return output.string
        }
    }
}

extension JSON: CustomStringConvertible {
    /// Compact JSON text; `(missing)` where nothing is.
    public var description: String { text(.withoutEscapingSlashes) }
}
