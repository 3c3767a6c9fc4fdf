#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacJSON

/// How a judged response becomes a value.
public struct Landing<Value: Sendable>: Sendable {
    /// Whether the value is made of JSON: the verdict then parses the body and checks its media type.
    public let needsJSON: Bool
    /// The media types the value can be made of; ``AcceptableContentTypes/automatic`` where the decoder decides.
    package let accepts: AcceptableContentTypes
    /// Whether the value is made of nothing: any body is ignored.
    package let ignoresBody: Bool
    private let make: @Sendable (Payload) throws -> Value
    /// The landing for the endpoint of a name, where they differ by it: a ``ReformerTable`` has a line for each.
    package var choose: (@Sendable (_ endpoint: String) -> Landing)?

    /// - Parameters:
    ///   - needsJSON: whether ``Payload/json`` is read. Default `false`.
    ///   - make: makes the value; what it throws becomes `TarmacError(.decodingFailed)` with that as its cause.
    public init(needsJSON: Bool = false, _ make: @escaping @Sendable (Payload) throws -> Value) {
        self.init(needsJSON: needsJSON, accepts: needsJSON ? .json : .any, ignoresBody: false, make)
    }

    /// - Parameters:
    ///   - types: the media types it can read, unless ``Options/acceptableContentTypes`` says otherwise.
    ///   - make: makes the value; what it throws becomes `TarmacError(.decodingFailed)` with that as its cause.
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

    /// As the endpoint of this name lands.
    package func of(_ endpoint: String) -> Landing { choose?(endpoint) ?? self }

    /// The value, or why there is none as it may leave Tarmac.
    package func checkedValue(of payload: Payload) throws -> Value {
        do { return try make(payload) } catch { throw payload.landingFailure(error, as: Value.self) }
    }

    /// The same, changed after landing.
    public func map<Other: Sendable>(_ change: @escaping @Sendable (Value) throws -> Other) -> Landing<Other> {
        var landing = Landing<Other>(needsJSON: needsJSON, accepts: accepts, ignoresBody: ignoresBody) { try change(make($0)) }
        if let choose { landing.choose = { choose($0).map(change) } }
        return landing
    }
}

extension Landing where Value: Decodable {
    /// Decodes the payload of the envelope, or the whole body without one.
    public static var decodable: Self {
        Landing(needsJSON: true, accepts: .automatic, ignoresBody: false) { try $0.decode(Value.self) }
    }

    /// As the type says: ``data``, ``text`` or ``json`` for the types of these, ``decodable`` for every other.
    static var byType: Self {
        let landing = TypeLanding(Value.self)
        return Landing(needsJSON: landing.needsJSON, accepts: landing.accepts, ignoresBody: false) { try landing.value(of: $0, as: Value.self) }
    }
}

extension Landing where Value == Data {
    /// The body's bytes.
    public static var data: Self { Landing { $0.bytes.data } }
}

extension Landing where Value == String {
    /// The body as text in the charset the server names; UTF-8 without one.
    public static var text: Self { Landing { try $0.text } }
}

extension Landing where Value == JSON {
    /// The payload of the envelope, or the whole body without one, as JSON.
    public static var json: Self { Landing(needsJSON: true) { try $0.json } }
}

extension Landing where Value == Void {
    /// Nothing: the verdict is all that counts.
    public static var void: Self { Landing(needsJSON: false, accepts: .any, ignoresBody: true) { _ in } }
}
