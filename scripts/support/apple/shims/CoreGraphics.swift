@_exported import CoreFoundation

public struct CGFloat: Hashable, Sendable {
  public init(_ value: Double) {}
}
