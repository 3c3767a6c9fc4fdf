@_exported import Darwin

@available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  public init(uncheckedState initialState: State) {}
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { fatalError() }
  public func lock() {}
  public func unlock() {}
}

public struct OSLogPrivacy { public static var `public`: OSLogPrivacy { fatalError() } }
public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}
  public mutating func appendInterpolation(_ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .public) {}
}
public struct OSLogMessage: ExpressibleByStringInterpolation {
  public typealias StringInterpolation = OSLogInterpolation
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: OSLogInterpolation) {}
}
public typealias SignpostMetadata = OSLogMessage
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct Logger: @unchecked Sendable {
  public init(subsystem: String, category: String) {}
  public func error(_ message: OSLogMessage) {}
  public func notice(_ message: OSLogMessage) {}
  public func debug(_ message: OSLogMessage) {}
}
public struct OSSignpostID: Sendable {}
@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
public class OSSignpostIntervalState {}
@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
public struct OSSignposter: @unchecked Sendable {
  public init(subsystem: String, category: String) {}
  public func makeSignpostID() -> OSSignpostID { fatalError() }
  public func beginInterval(_ name: StaticString, id: OSSignpostID, _ message: SignpostMetadata) -> OSSignpostIntervalState { fatalError() }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}
