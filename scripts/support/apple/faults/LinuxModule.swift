// expected on ios, macos, tvos, watchos, visionos: no such module 'FoundationNetworking'
import FoundationNetworking
