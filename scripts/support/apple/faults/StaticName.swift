// expected on ios, macos: type 'BackgroundTransport' does not conform to protocol 'Transport'
protocol Transport: Sendable { var name: String { get } }

final class BackgroundTransport: Transport {
    static let name = "URLSession in the background"
    let name = BackgroundTransport.name
}
