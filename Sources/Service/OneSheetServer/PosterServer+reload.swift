import HTTPServer
import Logging
import OneSheetConfiguration
import PosterAPI

extension PosterServer {
    /// - Parameters:
    ///   - token: That of the admin routes, if there are any.
    ///   - credentials: Those that the TLS ports show, if there are any.
    func makeReload(
        _ rooms: Rooms, policies: PicturePolicies, token: AdminToken?, credentials: TLSCredentials?
    ) -> Reload {
        Reload(self.settings, source: self.source, logger: self.logger) { part in
            switch part {
            case .logLevel:
                { configuration in { ServeConfiguration.logThreshold.level = configuration.logLevel } }
            case .origins:
                { configuration in { rooms.replaceOrigins(configuration.origins, configuration.credentials) } }
            case .adminToken: Self.exchanging(token)
            case .certificate: { _ in try credentials?.preparedRenewal() }
            case .pictures:
                { configuration in
                    var policy = try configuration.policy()
                    // Where they are is settled at the start.
                    policy.servesTMDBImages = policies.policy.servesTMDBImages
                    return { [policy] in policies.replace(policy) }
                }
            }
        }
    }

    /// Routes neither come nor go while the server runs.
    private static func exchanging(_ token: AdminToken?) -> Reload.Preparation {
        { configuration in
            guard let token, let new = try configuration.adminToken() else { return nil }
            return { token.replace(with: new) }
        }
    }
}
