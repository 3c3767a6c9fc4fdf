import TarmacMasking

extension JSON {
    /// The layout of written text, with the names of Foundation's `JSONEncoder`.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Orders members by the Unicode scalars of their keys, at every level.
        public static let sortedKeys = WritingOptions(rawValue: 1)
        /// Writes one element a line, with two spaces for each level up to 64.
        public static let prettyPrinted = WritingOptions(rawValue: 2)
        /// Writes `/` instead of `\/`, which only text inside HTML needs. Values of a document keep their form.
        public static let withoutEscapingSlashes = WritingOptions(rawValue: 4)
    }

    /// Returns the value as JSON text in UTF-8.
    /// - Parameter options: The layout. Default: compact, members in their order, slashes unescaped.
    /// - Throws: ``JSONError`` with `.notRepresentable` for a number that is not finite, or `.missing` for a missing
    ///   value.
    public func bytes(_ options: WritingOptions = .withoutEscapingSlashes) throws(JSONError) -> [UInt8] {
        try written(options).array
    }

    func written(_ options: WritingOptions) throws(JSONError) -> OutputBuffer {
        let output = OutputBuffer()
        var writer = JSONWriter(output: output, options: options)
        try writer.write(self)
        return output
    }

    /// The value as text on several lines, for reading.
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
    /// Returns compact text in which `substitute` replaces the values of some keys, whatever they are; nil keeps a
    /// value. It makes one pass over a document's value, without a tree.
    package func text(substituting substitute: (_ key: String) -> String?) -> String {
        text { key, _ in key.flatMap { substitute($0) } }
    }

    /// Returns compact text in which `replace` replaces values: it gets the value of each key, and each scalar without
    /// its key.
    package func text(replacing replace: (_ key: String?, _ value: JSON) -> String?) -> String {
        guard case .view(let storage, let index) = node else {
            return (try? JSONDocument(bytes(), options: .built).root.text(replacing: replace)) ?? text(.withoutEscapingSlashes)
        }
        let output = OutputBuffer()
        return withoutActuallyEscaping(replace) { replace in
            var writer = TapeWriter(storage.tape, TextLayout(output: output, options: .withoutEscapingSlashes)) { replace($0, JSON(storage, at: $1)) }
            writer.write(index)
            return output.string
        }
    }
}

extension JSON: CustomStringConvertible, CustomReflectable {
    /// The value as compact JSON text for logs, with secrets masked: the values of members with secret names, and values with the
    /// shape of a secret. `(missing)` for a missing value. The exact text is in ``bytes(_:)`` and ``prettyPrinted``.
    public var description: String { isMissing ? "(missing)" : SecretMask.standard.json(self) }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension SecretMask {
    fileprivate static let standard = SecretMask(.standard) { _ in "‹masked›" }
}
