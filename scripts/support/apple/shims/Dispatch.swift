@_exported import Darwin
import _Concurrency
open class DispatchObject { init() {} }
public struct DispatchTime: Comparable, Sendable { public static func now() -> DispatchTime { fatalError() }; public static func < (a: Self, b: Self) -> Bool { false }; public var uptimeNanoseconds: UInt64 { 0 }; public static let distantFuture: DispatchTime = .now(); public init(uptimeNanoseconds: UInt64) {} }
public enum DispatchTimeInterval: Equatable, Sendable { case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never }
public func + (t: DispatchTime, i: DispatchTimeInterval) -> DispatchTime { t }
public func + (t: DispatchTime, s: Double) -> DispatchTime { t }
public struct DispatchQoS: Equatable, Sendable { public static let utility = DispatchQoS(), `default` = DispatchQoS(), userInitiated = DispatchQoS(), background = DispatchQoS(), userInteractive = DispatchQoS(), unspecified = DispatchQoS(); 
 public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified } }
public struct DispatchWorkItemFlags: OptionSet, RawRepresentable, Sendable { public let rawValue: UInt; public init(rawValue: UInt) { self.rawValue = rawValue }; public static let barrier = Self(rawValue: 1) }
open class DispatchGroup: DispatchObject, @unchecked Sendable { public override init() {}; open func enter() {}; open func leave() {}; @available(*, noasync) public func wait() {}; @preconcurrency public func notify(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue, execute work: @escaping @Sendable () -> Void) {} }
open class DispatchSemaphore: DispatchObject, @unchecked Sendable { public init(value: Int) {}; @discardableResult public func signal() -> Int { 0 } ; @available(*, noasync) public func wait() {} }
open class DispatchQueue: DispatchObject, @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable { public let rawValue: UInt64; public init(rawValue: UInt64) { self.rawValue = rawValue }; public static let concurrent = Self(rawValue: 1) }
  public convenience init(label: String, qos: DispatchQoS = .default, attributes: Attributes = [], target: DispatchQueue? = nil) { fatalError() }
  public static var main: DispatchQueue { fatalError() }
  public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  @preconcurrency public func async(group: DispatchGroup? = nil, qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void) {}
  @preconcurrency public func asyncAfter(deadline: DispatchTime, qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void) {}
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
  public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
  public func async(execute workItem: DispatchWorkItem) {}
  public var label: String { "" }
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
}
public protocol DispatchSourceProtocol: AnyObject {
  @preconcurrency func setEventHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (@Sendable () -> Void)?)
  func resume()
  func activate()
  func cancel()
}
extension DispatchSourceProtocol {
  @preconcurrency public func setEventHandler(handler: (@Sendable () -> Void)?) {}
}
public protocol DispatchSourceSignal: DispatchSourceProtocol {}
open class DispatchSource: DispatchObject, @unchecked Sendable {
  public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal { fatalError() }
}
open class DispatchWorkItem: @unchecked Sendable {
  public init(qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [], block: @escaping () -> Void) {}
  public func cancel() {}
}
public final class DispatchSpecificKey<T>: Sendable { public init() {} }
public struct DispatchData { }
