#if Redis && canImport(Glibc) && Crypto
import Tarmac
import TarmacCrypto
import TarmacRedis
import TarmacTraffic
import Testing

/// The code of `Documentation/Redis.md`.
struct RedisCallSites {
    func fleet(password: String, secret: String, keyring: Keyring) throws -> Service {
        let redis = HiredisClient("redis.internal", user: "shop", password: password)
        let limits = RedisLimits(redis), sealer = KeyringSealer(keyring)
        let cache = try RedisCacheStore(redis, limit: 512 << 20, sealer: sealer)

        let partner = Service("partner", host: "https://api.partner.example") {
            $0.authenticator = .clientCredentials(
                tokenURL: "https://login.partner.example/token", client: OAuthClient(id: "shop", secret: secret),
                store: RedisTokenStore(redis, sealer: sealer))
            $0.rateLimit = .perSecond(100).shared(by: limits)
            $0.retry = .exponential().shared(by: limits)
            $0.cache = .http
            $0.cacheStore = .store(cache)
        }
        return partner
    }

    @Test func thePageMakesAService() throws {
        let keyring = try Keyring(current: SealingKey("2026-11", .random()))
        let service = try fleet(password: "p", secret: "s", keyring: keyring)
        #expect(service.name == "partner")
    }
}
#endif
