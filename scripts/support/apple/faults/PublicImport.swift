// expected on ios, macos, tvos, watchos, visionos: cannot be declared public because its parameter uses an internal type
import Foundation

public func send(_ request: URLRequest) {}
