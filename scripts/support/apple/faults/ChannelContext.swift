// expected on ios, macos, tvos, watchos, visionos: non-Sendable type 'ChannelHandlerContext'
import NIOCore

func close(_ context: ChannelHandlerContext) { let work: @Sendable () -> Void = { context.close(promise: nil) } ; _ = work }
