package import HTTPServer
package import PosterAPI

/// What the files hold that options name.
extension ServeConfiguration {
    /// Reads all of them, as `serve` does when it starts.
    ///
    /// - Throws: ``SettingError``.
    package func checkFiles() throws {
        _ = try self.policy()
        _ = try self.adminToken()
        _ = try self.tlsCredentials()
    }

    /// What clients may ask for, with the keys that are in the file now.
    ///
    /// - Throws: ``SettingError``.
    package func policy() throws -> PicturePolicy {
        do {
            return try self.pictures.policy(effort: self.effort)
        } catch let error as SigningKeys.Failure {
            throw SettingError(
                option: "sign-key-file", value: self.pictures.signKeyFile ?? "",
                allowed: "a file with one signing key a line; \(error)")
        }
    }

    /// nil without admin routes.
    ///
    /// - Throws: ``SettingError``.
    package func adminToken() throws -> AdminToken? {
        guard let path = self.adminTokenFile else { return nil }
        do throws(AdminToken.Failure) {
            return try AdminToken(contentsOf: path)
        } catch {
            throw SettingError(option: "admin-token-file", value: path, allowed: "a file with a token; \(error)")
        }
    }

    /// nil without TLS.
    ///
    /// - Throws: ``SettingError``.
    package func tlsCredentials() throws -> TLSCredentials? {
        guard let tls = self.listening.tls else { return nil }
        do throws(TLSCredentials.Failure) {
            return try TLSCredentials(certificatePath: tls.certificatePath, keyPath: tls.keyPath)
        } catch {
            throw SettingError(
                option: "tls-cert", value: tls.certificatePath,
                allowed: "a certificate chain in PEM, with its key in --tls-key; \(error)")
        }
    }
}
