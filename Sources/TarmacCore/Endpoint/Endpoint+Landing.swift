#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacJSON

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
