#if NIO
import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@testable import TarmacNIO

/// A connection over HTTP/2 before the first frame of its server.
struct ConnectionOpeningTests {
    @Test(arguments: [false, true]) func aConnectionIsClosedWhoseServerDoesNotBegin(begins: Bool) throws {
        let channel = EmbeddedChannel(handler: ConnectionUses(isHTTP2: true, address: nil))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: ConnectionUses.openingPatience - .nanoseconds(1))
        #expect(channel.isActive)
        if begins { try channel.writeInbound(HTTP2Frame(streamID: .rootStream, payload: .settings(.settings([])))) }
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(channel.isActive == begins)
    }
}
#endif
