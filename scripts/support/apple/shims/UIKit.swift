@_exported import Foundation
import _Concurrency
@available(iOS 2.0, *)
@MainActor open class UIDevice: NSObject {
  public enum BatteryState: Int, Sendable { case unknown, unplugged, charging, full }
  open class var current: UIDevice { get { fatalError() } }
  open var isBatteryMonitoringEnabled: Bool { get { false } set {} }
  open var batteryState: BatteryState { get { .unknown } }
  nonisolated public class var batteryStateDidChangeNotification: Notification.Name { get { fatalError() } }
}
