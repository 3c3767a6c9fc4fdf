#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacJSON

/// Makes a value from a successful response.
public struct Landing<Value: Sendable>: Sendable {
    /// Whether the value is made from JSON. The verdict stage then parses the body and checks its media type.
    package let needsJSON: Bool
    /// The media types that the value can be made from. ``AcceptableContentTypes/automatic`` if the decoder
    /// decides.
    package let accepts: AcceptableContentTypes
    /// Whether the body is ignored.
    package let ignoresBody: Bool
    private let make: @Sendable (Payload) throws -> Value
    /// Returns the landing for the endpoint with a name, if landings differ by endpoint, as those of a
    /// table of reformers do.
    package var choose: (@Sendable (_ endpoint: String) -> Landing)?

    /// Makes a landing.
    ///
    /// - Parameters:
    ///   - needsJSON: whether `make` reads ``Payload/json``. Default: `false`.
    ///   - make: makes the value. A `TarmacError` and a `CancellationError` that it throws are passed on. Any other
    ///     error becomes the cause of a `TarmacError(.decodingFailed)`.
    public init(needsJSON: Bool = false, _ make: @escaping @Sendable (Payload) throws -> Value) {
        self.init(needsJSON: needsJSON, accepts: needsJSON ? .json : .any, ignoresBody: false, make)
    }

    /// Makes a landing for certain media types.
    ///
    /// - Parameters:
    ///   - types: the media types that it can read, unless ``Options/acceptableContentTypes`` states others.
    ///   - make: makes the value. A `TarmacError` and a `CancellationError` that it throws are passed on. Any other
    ///     error becomes the cause of a `TarmacError(.decodingFailed)`.
    public init(accepting types: AcceptableContentTypes, _ make: @escaping @Sendable (Payload) throws -> Value) {
        self.init(needsJSON: false, accepts: types, ignoresBody: false, make)
    }

    package init(
        needsJSON: Bool, accepts: AcceptableContentTypes, ignoresBody: Bool, _ make: @escaping @Sendable (Payload) throws -> Value
    ) {
        self.needsJSON = needsJSON
        self.accepts = accepts
        self.ignoresBody = ignoresBody
        self.make = make
    }

    func value(of payload: Payload) throws -> Value { try make(payload) }

    /// Returns the landing for the endpoint with this name.
    package func of(_ endpoint: String) -> Landing { choose?(endpoint) ?? self }

    /// Returns the value, or throws an error that Tarmac may pass to the caller.
    package func checkedValue(of payload: Payload) throws -> Value {
        do { return try make(payload) } catch { throw payload.landingFailure(error, as: Value.self) }
    }

    /// Returns a landing that also applies a change to the value.
    public func map<Other: Sendable>(_ change: @escaping @Sendable (Value) throws -> Other) -> Landing<Other> {
        var landing = Landing<Other>(needsJSON: needsJSON, accepts: accepts, ignoresBody: ignoresBody) { try change(make($0)) }
        if let choose { landing.choose = { choose($0).map(change) } }
        return landing
    }
}

extension Landing where Value: Decodable {
    /// Decodes the payload of the envelope, or the whole body without an envelope.
    public static var decodable: Self {
        Landing(needsJSON: true, accepts: .automatic, ignoresBody: false) { try $0.decode(Value.self) }
    }

    /// The landing for the type: ``data``, ``text`` or ``json`` for their types, ``decodable`` for every other
    /// type.
    @usableFromInline package static var byType: Self {
        let landing = TypeLanding(Value.self)
        return Landing(needsJSON: landing.needsJSON, accepts: landing.accepts, ignoresBody: false) { try landing.value(of: $0, as: Value.self) }
    }
}

extension Landing where Value == Data {
    /// The bytes of the body.
    public static var data: Self { Landing { $0.bytes.data } }
}

extension Landing where Value == String {
    /// The body as text in the charset that the server states. Default charset: UTF-8.
    public static var text: Self { Landing { try $0.text } }
}

extension Landing where Value == JSON {
    /// The payload of the envelope, or the whole body without an envelope, as JSON.
    public static var json: Self { Landing(needsJSON: true) { try $0.json } }
}

extension Landing where Value == Void {
    /// A landing without a value. The call succeeds if its response passes all checks.
    public static var void: Self { Landing(needsJSON: false, accepts: .any, ignoresBody: true) { _ in } }
}
