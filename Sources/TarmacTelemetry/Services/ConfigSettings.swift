#if Telemetry
import Configuration
import HTTPTypes
import TarmacCore
import TarmacResilience

/// Reads the settings of a client from a configuration.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ConfigSettings {
    private let config: ConfigReader

    init(_ config: ConfigReader) { self.config = config }

    // MARK: Settings

    /// Returns the service of the key `baseURL`, or `nil` if the key is absent.
    func service() throws(TarmacError) -> TarmacCore.Service? {
        let name = try text("serviceName"), connections = try count("connectionsPerHost", from: 1)
        // A log of what is read must not show a password in the URL, which is refused below.
        guard let base = try text("baseURL", isSecret: true) else {
            for (key, isSet) in [("serviceName", name != nil), ("connectionsPerHost", connections != nil)] where isSet {
                throw Self.invalid(key, "needs the key baseURL")
            }
            return nil
        }
        do { _ = try HTTPURL(base) } catch { throw Self.invalid("baseURL", "is no http or https URL, such as https://api.shop.example") }
        var connection = ConnectionSettings()
        connection.connectionsPerHost = connections
        return TarmacCore.Service(name ?? "default", host: base, connection: connection)
    }

    func options() throws(TarmacError) -> Options {
        var options = Options()
        options.timeout = try limit("timeout")
        options.connectTimeout = try limit("connectTimeout")
        options.queueTimeout = try limit("queueTimeout")
        options.idleTimeout = try limit("idleTimeout")
        options.deadline = try limit("deadline")
        options.slowCall = try limit("slowCall")
        if let attempts = try count("maxAttempts", from: 1, to: 100) { options.retry = attempts == 1 ? .never : .exponential(maxAttempts: attempts) }
        if let limit = try count("redirectLimit", from: 0) { options.redirects = limit == 0 ? .off : .follow(limit: limit) }
        options.maximumBodySize = try count("maximumBodySize", from: 0)
        options.userAgent = try agent("userAgent")
        options.allowsInsecureHTTP = try flag("allowsInsecureHTTP")
        return options
    }

    // MARK: Values

    /// Returns a text, or `nil` if the key is absent.
    func text(_ key: String, isSecret: Bool = false) throws(TarmacError) -> String? {
        if let text = config.string(forKey: ConfigKey(key), isSecret: isSecret) {
            if text.allSatisfy(\.isWhitespace) { throw Self.invalid(key, "is empty") }
            return text
        }
        if isOther(key) { throw Self.invalid(key, "is no text") }
        return nil
    }

    /// Returns a whole number, or `nil` if the key is absent.
    func count(_ key: String, from least: Int, to most: Int = .max) throws(TarmacError) -> Int? {
        let name = ConfigKey(key)
        let number = config.int(forKey: name) ?? config.string(forKey: name).flatMap { Int($0) }
        if let number, (least...most).contains(number) { return number }
        if number == nil, !isPresent(key) { return nil }
        throw Self.invalid(key, "must be a whole number from \(least)" + (most == .max ? "" : " to \(most)"))
    }

    /// Returns a user agent, or `nil` if the key is absent.
    func agent(_ key: String) throws(TarmacError) -> UserAgent? {
        guard let agent = try text(key) else { return nil }
        do { _ = try HTTPField.checked("User-Agent", agent) } catch { throw Self.invalid(key, "holds a control character, such as a line break") }
        return UserAgent(agent)
    }

    /// Returns a time in seconds, or `nil` if the key is absent.
    func limit(_ key: String) throws(TarmacError) -> TimeLimit? {
        let name = ConfigKey(key), text = config.string(forKey: name)
        if text == "unlimited" { return .unlimited }
        let seconds = config.double(forKey: name) ?? config.int(forKey: name).map(Double.init) ?? text.flatMap(Double.init)
        if let limit = seconds.map({ TimeLimit.seconds($0) }), limit.fault == nil { return limit }
        if seconds == nil, !isPresent(key) { return nil }
        throw Self.invalid(key, "must be a number of seconds above 0 that a duration can hold, such as 2.5, or unlimited")
    }

    /// Returns a switch, or `nil` if the key is absent.
    func flag(_ key: String) throws(TarmacError) -> Bool? {
        if let flag = config.bool(forKey: ConfigKey(key)) { return flag }
        if isPresent(key) { throw Self.invalid(key, "must be true or false") }
        return nil
    }

    // A reader returns `nil` for a value of another type as well, so the other types are asked.

    private func isPresent(_ key: String) -> Bool { config.string(forKey: ConfigKey(key)) != nil || isOther(key) }

    private func isOther(_ key: String) -> Bool {
        let key = ConfigKey(key)
        if config.int(forKey: key) != nil || config.double(forKey: key) != nil || config.bool(forKey: key) != nil { return true }
        return config.stringArray(forKey: key) != nil || config.intArray(forKey: key) != nil
    }

    /// The value is not shown: it may be a secret that was put under the wrong key.
    static func invalid(_ key: String, _ fault: String) -> TarmacError {
        TarmacError(.invalidOption, "the configuration key \(key) \(fault)")
    }
}
#endif
