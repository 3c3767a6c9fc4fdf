public import FoundationEssentials
public struct TarmacJSONDecoder: Sendable { public init() {}
 public func decode<T: Decodable>(_ t: T.Type, from data: Data) throws -> T { try FoundationEssentials.JSONDecoder().decode(t, from: data) } }
public struct JSONDocument: Sendable {}
