import Foundation
import HTTPTypes
import Tarmac
import TarmacConnection
@testable import TarmacURLSession
import Testing

@Suite struct SettingsRefusalTests {
    static let linux = SettingsRefusal(abilities: .init(customTrust: false, explicitProxy: false, showsCertificates: false, clientIdentity: false))
    static let apple = SettingsRefusal(abilities: .init(customTrust: true, explicitProxy: true, showsCertificates: true, clientIdentity: true))

    // XF-7, QSP-6: what URLSession cannot obey is refused by its name, and not ignored.
    @Test(arguments: [
        ("unixSocket", ConnectionSettings { $0.unixSocket = "/s" }),
        ("httpVersions", ConnectionSettings { $0.httpVersions = .http1Only }),
        ("idleConnectionTimeout", ConnectionSettings { $0.idleConnectionTimeout = .seconds(5) }),
        ("clientIdentity", ConnectionSettings { $0.clientIdentity = .pemFiles(certificate: "a", key: "b") }),
        ("trust", ConnectionSettings { $0.trust = .insecureAcceptAnyCertificate }),
        ("trust", ConnectionSettings { $0.trust = .only(pemFile: "a") }),
        ("trust", ConnectionSettings { $0.trust = .systemAnd(pemFile: "a") }),
        ("pins", ConnectionSettings { $0.pins = [PinSet("a.example", [])] }),
        ("insecurelySkipsHostName", ConnectionSettings { $0.insecurelySkipsHostName = true }),
        ("proxy", ConnectionSettings { $0.proxy = .http(host: "a", port: 1) }),
        ("proxy", ConnectionSettings { $0.proxy = .socks(host: "a", port: 1) }),
    ])
    func settingIsRefusedByItsName(name: String, settings: ConnectionSettings) {
        let error = Self.linux.check(settings)
        #expect(error?.code == .unsupported)
        #expect(error?.reason.hasPrefix(name + ": ") == true)
    }

    @Test func defaultsAreTaken() {
        #expect(Self.linux.check(ConnectionSettings()) == nil)
        #expect(Self.linux.check(ConnectionSettings { $0.connectionsPerHost = 1 }) == nil)
        #expect(Self.linux.check(ConnectionSettings { $0.proxy = .environment }) == nil)
    }

    @Test func applePlatformsTakeTrustAndProxy() {
        #expect(Self.apple.check(ConnectionSettings { $0.trust = .only(pemFile: "a") }) == nil)
        #expect(Self.apple.check(ConnectionSettings { $0.proxy = .socks(host: "a", port: 1) }) == nil)
        #expect(Self.apple.check(ConnectionSettings { $0.pins = [PinSet("a.example", [])] }) == nil)
        let authorized = ConnectionSettings.ProxySetting.http(
            host: "a", port: 1, authorization: .init(user: "u", password: "p"))
        #expect(Self.apple.check(ConnectionSettings { $0.proxy = authorized }) == nil)
        #expect(Self.apple.check(ConnectionSettings { $0.unixSocket = "/s" })?.code == .unsupported)
        #expect(Self.apple.check(ConnectionSettings { $0.httpVersions = .http1Only })?.code == .unsupported)
        #expect(Self.apple.check(ConnectionSettings { $0.insecurelySkipsHostName = true }) == nil)
    }

    @Test func exclusionsHaveOneNameEach() {
        for list in [URLSessionExclusion.linux, URLSessionExclusion.apple] {
            let names = (URLSessionExclusion.common + list).map(\.name)
            #expect(Set(names).count == names.count)
        }
        #expect(URLSessionExclusion.here.contains { $0.name == "unixSocket" && $0.outcome == .refused })
    }

    @Test func noConnectionsAreRefused() {
        #expect(Self.linux.check(ConnectionSettings { $0.connectionsPerHost = 0 })?.code == .invalidOption)
    }

    @Test(arguments: [
        (["http_proxy": "http://p:1"], "http://a.example/", true),
        (["http_proxy": "http://p:1"], "https://a.example/", false),
        (["HTTP_PROXY": "http://p:1"], "http://a.example/", false),
        (["HTTPS_PROXY": "http://p:1"], "https://a.example/", true),
        (["all_proxy": "socks5://p:1"], "http://a.example/", true),
        (["http_proxy": ""], "http://a.example/", false),
        (["http_proxy": "http://p:1", "no_proxy": "b.example, a.example"], "http://a.example/", false),
        (["http_proxy": "http://p:1", "no_proxy": ".example"], "http://a.example/", false),
        (["http_proxy": "http://p:1", "NO_PROXY": "*"], "http://a.example/", false),
        (["http_proxy": "http://p:1", "no_proxy": "xample"], "http://a.example/", true),
        (["http_proxy": "http://p:1", "no_proxy": "*,x"], "http://a.example/", true),
        (["http_proxy": "http://p:1", "no_proxy": "0.0.1"], "http://127.0.0.1/", true),
        (["http_proxy": "http://p:1", "no_proxy": "127.0.0.0/8"], "http://127.0.0.1/", false),
        (["http_proxy": "http://p:1", "no_proxy": "10.0.0.0/8"], "http://10.1.2.3/", false),
        (["http_proxy": "", "all_proxy": "http://p:1"], "http://a.example/", true),
        (["http_proxy": "http://p:1", "no_proxy": "", "NO_PROXY": "a.example"], "http://a.example/", false),
    ])
    func proxyNobodyAskedForIsRefused(environment: [String: String], url: String, isRefused: Bool) throws {
        let rule = ProxyRule(setting: .none, readsEnvironment: true, environment: ProxyEnvironment(environment))
        #expect((rule.refusal(for: try HTTPURL(url)) != nil) == isRefused)
        let system = ProxyRule(setting: .system, readsEnvironment: true, environment: ProxyEnvironment(environment))
        #expect((system.refusal(for: try HTTPURL(url)) != nil) == isRefused)
        let free = ProxyRule(setting: .environment, proxiesLoopback: true, readsEnvironment: true, environment: ProxyEnvironment(environment))
        #expect(free.refusal(for: try HTTPURL(url)) == nil)
        let apple = ProxyRule(setting: .none, readsEnvironment: false, environment: ProxyEnvironment(environment))
        #expect(apple.refusal(for: try HTTPURL(url)) == nil)
    }

    /// libcurl asks the proxy about this machine too, and cannot be told not to.
    @Test(arguments: [
        (["http_proxy": "http://p:1"], true), ([:], false), (["http_proxy": "http://p:1", "no_proxy": "localhost"], false),
    ])
    func thisMachineIsNotAskedForThroughAProxy(environment: [String: String], isRefused: Bool) throws {
        let url = try HTTPURL("http://localhost:8080/")
        let rule = ProxyRule(setting: .environment, readsEnvironment: true, environment: ProxyEnvironment(environment))
        #expect((rule.refusal(for: url)?.code == .unsupported) == isRefused)
        let wanted = ProxyRule(setting: .environment, proxiesLoopback: true, readsEnvironment: true, environment: ProxyEnvironment(environment))
        #expect(wanted.refusal(for: url) == nil)
    }

    // XF-7: the transport itself refuses by name, before there is a session.
    @Test func theTransportRefusesWhatItCannotObey() throws {
        var rows = [("httpVersions", ConnectionSettings { $0.httpVersions = .http1Only })]
        #if canImport(FoundationNetworking)
        rows += [
            ("trust", ConnectionSettings { $0.trust = .insecureAcceptAnyCertificate }),
            ("insecurelySkipsHostName", ConnectionSettings { $0.insecurelySkipsHostName = true }),
        ]
        #endif
        for (name, settings) in rows {
            let error = try #require(throws: TarmacError.self) { try TransportFactory.urlSession.makeTransport(settings) }
            #expect(error.code == .unsupported && error.reason.hasPrefix(name + ": "))
        }
    }

    @Test func certificatesAreReadFromPEM() {
        let text = "x\n-----BEGIN CERTIFICATE-----\nAQID\nBAUG\n-----END CERTIFICATE-----\r\n-----BEGIN CERTIFICATE-----\nBw==\n-----END CERTIFICATE-----"
        #expect(PEMCertificates.parse(text) == [Data([1, 2, 3, 4, 5, 6]), Data([7])])
        #expect(PEMCertificates.parse("-----BEGIN PRIVATE KEY-----\nAQID\n-----END PRIVATE KEY-----") == [])
        #expect(throws: TarmacError.self) { try PEMCertificates.load("/nowhere/at/all") }
    }
}
