import PosterPipeline

extension OriginalShelf {
    /// What a check of one file gave.
    enum Finding: Hashable, Sendable {
        case sound(space: Int64, isKnown: Bool)
        case damaged(String)
        /// It may be fine, but cannot be read now, or is over a limit.
        case unusable(String)
        /// Removed since its name was read.
        case gone
    }

    /// Reads all of a file, also one that was checked before.
    ///
    /// - Parameter isRepairing: Whether a damaged file goes, and the index is made to agree.
    func inspect(_ key: Digest, isRepairing: Bool) -> Finding {
        let path = self.files.path(of: key)
        let known = self.index.attempt { try $0.row(key) }
        do throws(OriginalFile.Failure) {
            let file = try OriginalFile(path)
            let digest = Digest(hexadecimal: file.header.digest)
            guard Digest(of: file.header.id) == key else {
                throw .damaged(reason: "its header is another's", stamp: file.stamp)
            }
            let (bytes, _) = try file.contents()
            guard bytes.withUnsafeBytes({ Digest(of: $0) }) == digest else {
                throw .damaged(reason: "its bytes have changed", stamp: file.stamp)
            }
            do throws(PosterError) {
                _ = try self.verifier.verify(bytes)
            } catch {
                throw OriginalFile.Failure(error, stamp: file.stamp)
            }
            let isKnown = self.isKnown(key, row: known, digest: digest, stamp: file.stamp)
            if isRepairing, !isKnown { self.reconcile(key) }
            return .sound(space: OriginalRow.space(ofLength: Int64(file.header.length)), isKnown: isKnown)
        } catch {
            switch error {
            case .absent: return .gone
            case .damaged(let reason, let stamp):
                if isRepairing { self.drop(key, id: known.flatMap { $0?.id }, stamp: stamp, because: reason) }
                return .damaged("\(path): \(reason)")
            case .refused(let error): return .unusable("\(path): \(error)")
            case .unreadable(let error): return .unusable("\(error)")
            }
        }
    }

    /// Whether the index agrees with a file, or cannot be asked, or the file has been replaced while it was read.
    private func isKnown(_ key: Digest, row: OriginalRow??, digest: Digest?, stamp: FileStamp) -> Bool {
        guard let row, row?.digest != digest else { return true }
        // It may just be getting its row.
        return self.locks.withLock(of: key) {
            guard FileStamp(at: self.files.path(of: key)) == stamp else { return true }
            return self.index.attempt { try $0.row(key)?.digest == digest } ?? true
        }
    }
}
