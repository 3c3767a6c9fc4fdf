#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The value of the User-Agent field (RFC 9110 §10.1.5).
public struct UserAgent: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text, or `nil` to leave the field out.
    package let text: String?

    public init(_ text: String) { self.text = text }
    public init(stringLiteral text: String) { self.init(text) }
    private init(none: Void) { text = nil }

    /// No User-Agent field.
    public static let none = UserAgent(none: ())

    /// The default, such as `Program Tarmac/0.1.0 (Linux)`: the program's name, Tarmac's version and the platform.
    public static let standard = UserAgent(product(named: ProcessInfo.processInfo.processName) + "Tarmac/\(tarmacVersion) (\(platform))")

    static func product(named name: String) -> String {
        let token = name.utf8.filter { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95 || $0 == 46 }
        return token.isEmpty ? "" : String(decoding: token, as: UTF8.self) + " "
    }

    private static var platform: String {
        #if os(iOS)
        "iOS"
        #elseif os(macOS)
        "macOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #elseif os(Linux)
        "Linux"
        #else
        "Swift"
        #endif
    }

    public var description: String { text ?? "none" }
}

/// The version of this library.
public let tarmacVersion = "0.1.0"
