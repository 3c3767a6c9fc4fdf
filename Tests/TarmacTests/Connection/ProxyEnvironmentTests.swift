import Tarmac
import TarmacConnection
import Testing

/// The environment's proxies, as curl reads them.
struct ProxyEnvironmentTests {
    private typealias Setting = ConnectionSettings.ProxySetting

    static let choices: [([String: String], String, ConnectionSettings.ProxySetting)] = [
        ([:], "http://a.example/", .none),
        (["http_proxy": "http://p:3128"], "http://a.example/", .http(host: "p", port: 3128)),
        (["http_proxy": "http://p:3128"], "https://a.example/", .none),
        (["https_proxy": "p:8080/"], "https://a.example/", .http(host: "p", port: 8080)),
        (["HTTPS_PROXY": "http://p"], "https://a.example/", .http(host: "p", port: 1080)),
        (["https_proxy": "http://low:1", "HTTPS_PROXY": "http://up:1"], "https://a.example/", .http(host: "low", port: 1)),
        // libcurl does not read HTTP_PROXY, which a CGI program gets from a field of the request.
        (["HTTP_PROXY": "http://p:1"], "http://a.example/", .none),
        (["HTTP_PROXY": "http://p:1", "ALL_PROXY": "http://all:1"], "http://a.example/", .http(host: "all", port: 1)),
        (["https_proxy": "", "HTTPS_PROXY": "http://up:1"], "https://a.example/", .http(host: "up", port: 1)),
        (["all_proxy": "", "ALL_PROXY": "http://up:1"], "https://a.example/", .http(host: "up", port: 1)),
        (["http_proxy": "http://p:1", "no_proxy": "", "NO_PROXY": "*"], "http://a.example/", .none),
        (["http_proxy": "http://p:1", "no_proxy": "x", "NO_PROXY": "*"], "http://a.example/", .http(host: "p", port: 1)),
        (["ALL_PROXY": "socks5h://p"], "https://a.example/", .socks(host: "p", port: 1080)),
        (["all_proxy": "socks5://[::1]:9050"], "http://a.example/", .socks(host: "::1", port: 9050)),
        (["all_proxy": "http://all:1", "http_proxy": "http://own:1"], "http://a.example/", .http(host: "own", port: 1)),
        (["all_proxy": "http://all:1", "http_proxy": ""], "http://a.example/", .http(host: "all", port: 1)),
        (
            ["http_proxy": "HTTP://us%40er:p%3Aw:d@p:1"], "http://a.example/",
            .http(host: "p", port: 1, authorization: .init(user: "us@er", password: "p:w:d"))
        ),
    ]

    @Test(arguments: ["http://u%+1:p@p:1", "http://u:p%-1@p:1", "http://u%1:p@p:1", "http://u%:p@p:1", "http://u%1g:p@p:1", "http://p:+80", "http://p:-1"])
    func aSignIsNoDigit(_ variable: String) throws {
        let error = #expect(throws: TarmacError.self) { try ProxyEnvironment(["http_proxy": variable]).proxy(for: HTTPURL("http://a.example/")) }
        #expect(error?.code == .invalidOption)
    }

    @Test(arguments: choices) func proxyIsChosenByScheme(
        _ variables: [String: String], _ url: String, _ proxy: ConnectionSettings.ProxySetting
    ) throws {
        #expect(try ProxyEnvironment(variables).proxy(for: HTTPURL(url)) == proxy)
    }

    /// Each row but those of IPv6 blocks and brackets was run with curl 7.88, which does not know them.
    @Test(arguments: [
        ("*", "http://a.example/", true), ("*,x", "http://a.example/", false), ("x,*", "http://a.example/", false), (" * ", "http://a.example/", false),
        ("**", "http://a.example/", false), ("*.example", "http://a.example/", false), ("..example", "http://a.example/", false),
        ("a.example..", "http://a.example/", false), (".", "http://a.example/", false), (".", "http://a.example./", false),
        ("a.example", "http://a.example./", true), ("a.example.", "http://a.example./", true), ("a.example:80", "http://a.example/", false),
        ("a.example;b", "http://a.example/", false), ("other.example\ta.example", "http://a.example/", true), (",,a.example", "http://a.example/", true),
        ("localhost", "http://a.localhost/", true), ("0.0.1", "http://127.0.0.1/", false), ("127.1", "http://127.0.0.1/", false),
        ("127.0.0.0/8", "http://127.0.0.1/", true), ("010.0.0.1", "http://10.0.0.1/", false), ("10.0.0.0/08", "http://10.1.1.1/", true),
        ("10.0.0.0/8x", "http://10.1.2.3/", true), ("10.0.0.0/+8", "http://10.1.1.1/", true), ("10.0.0.0/ 8", "http://10.1.2.3/", false),
        ("10.0.0.0/-1", "http://10.0.0.0/", false), ("10.0.0.0/", "http://10.0.0.0/", true), ("10.0.0.0/", "http://10.0.0.1/", false),
        ("0.0.0.0/0", "http://10.0.0.0/", false), ("10.0.0.0/99999999999999999999", "http://10.0.0.0/", false),
        ("127.0.0.1", "http://127.0.0.1./", true), ("127.0.0.0/8", "http://127.0.0.1./", false), ("1.2.3.4", "http://[::ffff:102:304]/", false),
        ("::1/0", "http://[::2]/", false), ("::/129", "http://[::1]/", false),
        ("a.example", "http://a.example/", true),
        (".example", "http://a.example/", true),
        ("example", "http://a.example/", true),
        ("EXAMPLE.", "http://A.example/", true),
        ("xample", "http://a.example/", false),
        ("other.example, a.example", "http://a.example:81/", true),
        ("other.example a.example", "http://a.example/", true),
        ("b.a.example", "http://a.example/", false),
        ("10.0.0.0/8", "http://10.1.2.3/", true),
        ("10.0.0.0/8", "http://11.1.2.3/", false),
        ("10.1.2.3", "http://10.1.2.3/", true),
        ("1.2.3", "http://0.1.2.3/", false),
        ("192.168.128.0/17", "http://192.168.129.1/", true),
        ("192.168.128.0/17", "http://192.168.127.1/", false),
        ("fe80::/10", "http://[fe80::1]/", true),
        ("::1", "http://[0:0:0:0:0:0:0:1]/", true),
        ("[::1]", "http://[::1]/", true),
        ("::ffff:1.2.3.4", "http://[::ffff:102:304]/", true),
        ("10.0.0.0/33", "http://10.0.0.0/", false),
        ("10.0.0.0/x", "http://10.0.0.0/", true), ("10.0.0.0/x", "http://10.0.0.1/", false),
        ("", "http://a.example/", false),
        (",,", "http://a.example/", false),
    ])
    func exceptionsAreKept(_ list: String, _ url: String, _ isExcepted: Bool) throws {
        let environment = ProxyEnvironment(["http_proxy": "http://p:1", "no_proxy": list])
        #expect(try environment.proxy(for: HTTPURL(url)) == (isExcepted ? .none : .http(host: "p", port: 1)))
    }

    @Test(arguments: [
        ("ftp://p", TarmacError.Code.invalidOption), ("http://", .invalidOption), ("http://p:0", .invalidOption),
        ("http://p:x", .invalidOption), ("http://u%zz:secret@p", .invalidOption), ("https://p", .unsupported),
        ("socks4://p", .unsupported), ("socks5://u:secret@p", .unsupported),
    ])
    func faultNamesTheVariableAndNotItsValue(_ value: String, _ code: TarmacError.Code) throws {
        let url = try HTTPURL("https://a.example/")
        let error = #expect(throws: TarmacError.self) { try ProxyEnvironment(["HTTPS_PROXY": value]).proxy(for: url) }
        #expect(error?.code == code)
        #expect(error?.reason.contains("HTTPS_PROXY") == true)
        #expect(error?.reason.contains("secret") == false)
    }

    /// The settings decide first: an environment that names a proxy for everything does not name it for this machine.
    @Test(arguments: [
        ("http://localhost/", true), ("http://localhost./", true), ("https://127.0.0.1/", true), ("http://127.255.0.9:8080/", true), ("http://[::1]/", true),
        ("http://a.example/", false), ("http://128.0.0.1/", false), ("http://[::2]/", false), ("http://localhost.example/", false),
    ])
    func noProxyIsAskedAboutThisMachine(_ url: String, _ isLoopback: Bool) throws {
        let url = try HTTPURL(url)
        for proxy in [ConnectionSettings.ProxySetting.environment, .http(host: "p", port: 1), .socks(host: "p", port: 1)] {
            var settings = ConnectionSettings { $0.proxy = proxy }
            #expect(settings.bypassesProxy(url) == isLoopback)
            settings.proxiesLoopback = true
            #expect(!settings.bypassesProxy(url))
        }
        #expect(ConnectionSettings().bypassesProxy(url))
        #expect(ConnectionSettings { $0.proxy = .none }.bypassesProxy(url))
    }
}
