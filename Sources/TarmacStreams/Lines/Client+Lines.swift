public import TarmacJSON
public import TarmacCore

extension Client {
    /// Returns the lines of a response, each as soon as it has arrived.
    ///
    /// ```swift
    /// for try await line in client.lines(GetLog(follow: true)) { print(line) }
    /// ```
    /// A line ends with LF or CRLF; the last one needs no end. The text is in the charset that the server names, or
    /// UTF-8 by default, and invalid bytes become U+FFFD. The stream has its own slots and connections, as
    /// ``events(_:after:configure:)`` has. It does not reconnect.
    ///
    /// - Returns: A sequence that throws `TarmacError` or `CancellationError`: `.recordTooLarge` for a line longer than
    ///   ``Options/maximumRecordSize``, and the errors of any call.
    public func lines<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> RecordStream<String> {
        records(endpoint, .lines, LineParser(skippingBlank: false), "line", .fail, configure) { line, opening in
            try LineText.decode(line, opening.head.mediaType?.charset)
        }
    }

    /// Returns the values of a response with one JSON text a line (NDJSON, JSON Lines), each as soon as its line has
    /// arrived.
    ///
    /// ```swift
    /// for try await row in client.jsonLines(Export(), of: Row.self) { … }
    /// ```
    /// Blank lines are skipped, and the last line needs no end. Each line is parsed once, by ``Options/decoder``,
    /// without looking for an envelope.
    ///
    /// - Parameters:
    ///   - endpoint: The call.
    ///   - type: The type of the values.
    ///   - damaged: The handling of a line that is not JSON or not a `Value`. Default: its error ends the stream.
    ///   - configure: Changes the settings of this call.
    /// - Returns: A sequence that throws as ``lines(_:configure:)`` does; `.malformedJSON` and `.decodingFailed` name
    ///   the line.
    public func jsonLines<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, of type: Value.Type, damaged: DamagedRecords = .fail, configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<Value> {
        records(endpoint, .jsonLines, LineParser(skippingBlank: true), "line", damaged, configure) { try $1.payload(of: $0).decode() }
    }

    /// Returns the lines of a response as JSON values.
    public func jsonLines<E: Endpoint>(
        _ endpoint: E, of type: JSON.Type, damaged: DamagedRecords = .fail, configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<JSON> {
        records(endpoint, .jsonLines, LineParser(skippingBlank: true), "line", damaged, configure) { try $1.payload(of: $0).json }
    }

    /// Returns the values of a response that is a JSON text sequence (RFC 7464), each as soon as it has arrived.
    ///
    /// A truncated text throws `TarmacError(.truncatedRecord)`, as does a number, `true`, `false` or `null` without an
    /// end (§2.4). With `damaged: .skip` the sequence continues after the next separator, as the RFC says.
    public func jsonSequence<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, of type: Value.Type, damaged: DamagedRecords = .fail, configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<Value> {
        records(endpoint, .jsonSequence, TextSequenceParser(), "text", damaged, configure) { text, opening in
            try text.value { try opening.payload(of: $0).decode() }
        }
    }

    /// Returns the texts of a JSON text sequence as JSON values.
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
    /// Converts the text to a value, unless the parser already knows that it is damaged.
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
