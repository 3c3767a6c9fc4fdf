#if !Redis
/// The client of TarmacRedis, which needs the trait Redis.
@available(*, unavailable, message: "enable the trait Redis of the package tarmac")
public final class HiredisClient {}
#elseif !canImport(Glibc)
/// The client over hiredis, which is used on Linux with glibc.
@available(*, unavailable, message: "put another client behind RedisCommands, such as valkey-swift")
public final class HiredisClient {}
#endif
