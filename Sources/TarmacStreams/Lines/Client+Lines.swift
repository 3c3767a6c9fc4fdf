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

    /// Returns the JSON texts of a response as values, each as soon as it has arrived.
    ///
    /// ```swift
    /// for try await row in client.records(Export(), of: Row.self) { … }
    /// ```
    /// Each text is parsed once, by ``Options/decoder``, without looking for an envelope. `JSON.self` reads without a model.
    ///
    /// - Parameters:
    ///   - endpoint: The call.
    ///   - type: The type of the values.
    ///   - format: The way the texts are told apart. Default: a line each.
    ///   - damaged: The handling of a text that is not JSON or not a `Value`. Default: its error ends the stream.
    ///   - configure: Changes the settings of this call.
    /// - Returns: A sequence that throws as ``lines(_:configure:)`` does; `.malformedJSON` and `.decodingFailed` name
    ///   the text. `.truncatedRecord` is described at ``RecordFormat/jsonSequence``.
    public func records<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, of type: Value.Type, by format: RecordFormat = .jsonLines, damaged: DamagedRecords = .fail,
        configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<Value> {
        switch format {
        case .jsonLines:
            records(endpoint, .jsonLines, LineParser(skippingBlank: true), "line", damaged, configure) { try $1.payload(of: $0).decode() }
        case .jsonSequence:
            records(endpoint, .jsonSequence, TextSequenceParser(), "text", damaged, configure) { text, opening in
                try text.value { try opening.payload(of: $0).decode() }
            }
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

/// The way the JSON texts of a streamed response are told apart.
public enum RecordFormat: Sendable {
    /// One text a line (NDJSON, JSON Lines). Blank lines are skipped, and the last line needs no end.
    case jsonLines
    /// A JSON text sequence (RFC 7464).
    ///
    /// A truncated text throws `TarmacError(.truncatedRecord)`, as does a number, `true`, `false` or `null` without an
    /// end (§2.4). With `damaged: .skip` the sequence continues after the next separator, as the RFC says.
    case jsonSequence
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
