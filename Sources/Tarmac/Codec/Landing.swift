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
    /// Whether the value is made of nothing: any body is ignored.
    let ignoresBody: Bool
    private let make: @Sendable (Payload) throws -> Value

    /// - Parameters:
    ///   - needsJSON: whether ``Payload/json`` is read. Default `false`.
    ///   - make: makes the value; what it throws becomes `TarmacError(.decodingFailed)` with that as its cause.
    public init(needsJSON: Bool = false, _ make: @escaping @Sendable (Payload) throws -> Value) {
        self.init(needsJSON: needsJSON, ignoresBody: false, make)
    }

    private init(needsJSON: Bool, ignoresBody: Bool, _ make: @escaping @Sendable (Payload) throws -> Value) {
        self.needsJSON = needsJSON
        self.ignoresBody = ignoresBody
        self.make = make
    }

    func value(of payload: Payload) throws -> Value { try make(payload) }

    /// The same, changed after landing.
    public func map<Other: Sendable>(_ change: @escaping @Sendable (Value) throws -> Other) -> Landing<Other> {
        Landing<Other>(needsJSON: needsJSON, ignoresBody: ignoresBody) { try change(make($0)) }
    }
}

extension Landing where Value: Decodable {
    /// Decodes the payload of the envelope, or the whole body without one.
    public static var decodable: Self { Landing(needsJSON: true) { try $0.decode(Value.self) } }
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
    public static var void: Self { Landing(needsJSON: false, ignoresBody: true) { _ in } }
}

extension Endpoint where Value: Decodable {
    public var landing: Landing<Value> { .decodable }
}

extension Endpoint where Value == Data {
    public var landing: Landing<Value> { .data }
}

extension Endpoint where Value == String {
    public var landing: Landing<Value> { .text }
}

extension Endpoint where Value == JSON {
    public var landing: Landing<Value> { .json }
}

extension Endpoint where Value == Void {
    public var landing: Landing<Value> { .void }
}
