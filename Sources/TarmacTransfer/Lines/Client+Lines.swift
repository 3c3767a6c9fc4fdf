public import TarmacJSON
public import TarmacCore

extension Client {
    /// The lines an endpoint answers with, each as soon as it has come.
    ///
    /// ```swift
    /// for try await line in client.lines(GetLog(follow: true)) { print(line) }
    /// ```
    /// LF or CRLF ends a line, and the last one needs no end. The text is in the charset the server names, UTF-8 without
    /// one, in which what is not valid becomes U+FFFD. The stream has its own slots and connections, as
    /// ``events(_:after:configure:)`` has; it does not connect again.
    ///
    /// - Throws: while it is read, `TarmacError` or `CancellationError`: `.recordTooLarge` for a line beyond
    ///   ``Options/maximumRecordSize``, and what any call fails with.
    public func lines<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> RecordStream<String> {
        records(endpoint, .lines, LineParser(skippingBlank: false), "line", .fail, configure) { line, opening in
            try LineText.decode(line, opening.head.mediaType?.charset)
        }
    }

    /// The values an endpoint answers with as JSON, one a line (NDJSON, JSON Lines), each as soon as its line has come.
    ///
    /// ```swift
    /// for try await row in client.jsonLines(Export(), of: Row.self) { … }
    /// ```
    /// Blank lines are passed over, and the last line needs no end. Each is parsed once, by ``Options/decoder``; an envelope is not
    /// looked for.
    ///
    /// - Parameter damaged: what becomes of a line that is no JSON or no `Value`. Default: it ends the stream with its error.
    /// - Throws: while it is read, as ``lines(_:configure:)``; `.malformedJSON` and `.decodingFailed` name the line.
    public func jsonLines<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, of type: Value.Type, damaged: DamagedRecords = .fail, configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<Value> {
        records(endpoint, .jsonLines, LineParser(skippingBlank: true), "line", damaged, configure) { try $1.payload(of: $0).decode() }
    }

    /// The same with each line as JSON.
    public func jsonLines<E: Endpoint>(
        _ endpoint: E, of type: JSON.Type, damaged: DamagedRecords = .fail, configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<JSON> {
        records(endpoint, .jsonLines, LineParser(skippingBlank: true), "line", damaged, configure) { try $1.payload(of: $0).json }
    }

    /// The values an endpoint answers with as a JSON text sequence (RFC 7464), each as soon as it has come.
    ///
    /// A text that was cut off is `TarmacError(.truncatedRecord)`, also a number, `true`, `false` or `null` whose end is missing
    /// (§2.4); with `damaged: .skip` the sequence goes on with the next separator, as the RFC has it.
    public func jsonSequence<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, of type: Value.Type, damaged: DamagedRecords = .fail, configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<Value> {
        records(endpoint, .jsonSequence, TextSequenceParser(), "text", damaged, configure) { text, opening in
            try text.value { try opening.payload(of: $0).decode() }
        }
    }

    /// The same with each text as JSON.
    public func jsonSequence<E: Endpoint>(
        _ endpoint: E, of type: JSON.Type, damaged: DamagedRecords = .fail, configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<JSON> {
        records(endpoint, .jsonSequence, TextSequenceParser(), "text", damaged, configure) { text, opening in
            try text.value { try opening.payload(of: $0).json }
        }
    }

    private func records<E: Endpoint, Parser: RecordParser, Value: Sendable>(
        _ endpoint: E, _ kind: StreamKind, _ parser: Parser, _ noun: String, _ damaged: DamagedRecords, _ configure: (inout Options) -> Void,
        decode: @escaping @Sendable (Parser.Record, StreamOpening) throws -> Value?
    ) -> RecordStream<Value> {
        let launch = flight(endpoint, kind, "", configure)
        return RecordStream { DecodedRecords(StreamReader(parser, launch: launch), noun: noun, damaged: damaged, decode: decode) }
    }
}

extension TextSequenceParser.Text {
    /// What is made of the text, unless it is known to be none before anybody has read it.
    fileprivate func value<Value>(_ make: (Bytes) throws -> Value) throws -> Value {
        if isStray {
            throw TarmacError(
                .malformedJSON, phase: .decoding, "it stands before the first record separator", suggestion: "the body may be no JSON text sequence")
        }
        if mayBeTruncated { throw Self.truncated(nil) }
        do { return try make(bytes) } catch let error as TarmacError where error.code == .malformedJSON && !hasEnd {
            throw Self.truncated(error)
        }
    }

    private static func truncated(_ cause: TarmacError?) -> TarmacError {
        TarmacError(.truncatedRecord, phase: .decoding, "its end is missing: it was cut off", cause: cause)
    }
}
