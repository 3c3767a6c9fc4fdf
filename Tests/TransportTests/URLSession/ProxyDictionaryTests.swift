import Tarmac
@testable import TarmacURLSession
import Testing

@Suite struct ProxyDictionaryTests {
    static let loopback = #"ExceptionsList=["localhost", "127.0.0.1", "127/8", "::1"]"#

    @Test(
        arguments: [
            (.none, false, []),
            (.none, true, []),
            // CFNetwork reads no variables.
            (.environment, false, []),
            (
                .http(host: "p", port: 8), true,
                ["HTTPEnable=1", "HTTPPort=8", "HTTPProxy=p", "HTTPSEnable=1", "HTTPSPort=8", "HTTPSProxy=p"]
            ),
            (.socks(host: "p", port: 8), true, ["SOCKSEnable=1", "SOCKSPort=8", "SOCKSProxy=p"]),
            (.socks(host: "p", port: 8), false, [loopback, "SOCKSEnable=1", "SOCKSPort=8", "SOCKSProxy=p"]),
        ] as [(ConnectionSettings.ProxySetting, Bool, [String])])
    func eachSettingHasItsEntries(proxy: ConnectionSettings.ProxySetting, proxiesLoopback: Bool, entries: [String]) {
        let dictionary = ProxyDictionary.make(proxy, proxiesLoopback: proxiesLoopback)
        #expect(dictionary?.map { "\($0.key)=\($0.value)" }.sorted() == entries)
    }

    /// Without a dictionary, CFNetwork uses the proxy of the system. An app has it unless it says otherwise.
    @Test(arguments: [false, true])
    func theSystemsProxyIsTheDefaultAndIsLeftAlone(proxiesLoopback: Bool) {
        #expect(ConnectionSettings().proxy == .system)
        #expect(ProxyDictionary.make(ConnectionSettings().proxy, proxiesLoopback: proxiesLoopback) == nil)
        #expect(SettingsRefusalTests.apple.check(ConnectionSettings()) == nil)
    }
}
