#if NIO
import AsyncHTTPClient
#endif
