import Glibc

extension ScanSelection {
    /// - Parameters:
    ///   - table: The scans of the file; `nil`, or a table that is not orderly, selects all scans.
    ///   - eighths: The scale of decoding: 1, 2, 4 or 8 eighths. At 8 all scans are selected.
    ///   - residual: Decoded width over output width.
    init(
        _ table: JPEGScanTable?, of header: ImageHeader, eighths: Int, residual: Double, effort: RenderTarget.Effort,
        halvesChroma: Bool = true
    ) {
        self.init()
        guard let table, effort != .full, [1, 2, 4].contains(eighths), residual.isFinite, residual > 0 else { return }
        // Encoders write about ten scans; a file of hundreds is not worth the search.
        guard table.scans.count <= 128, table.isOrderly else { return }
        switch header.colourModel {
        case .gray where table.components.count == 1: break
        case .yCbCr where table.components.count == 3: break
        default: return
        }
        var search = JPEGScanSearch(
            table, eighths: eighths, residual: residual, effort: effort, halvesChroma: halvesChroma)
        search.run()
        self.scanCount = table.scans.count
        self.dropped = search.dropped
        self.droppedBytes = self.dropped.map { table.scans[$0].bytes }
        self.lumaFloor = Self.decibels(search.lumaSquare)
        self.colourFloor = Self.decibels(search.colourSquare)
    }

    private static func decibels(_ meanSquare: Double) -> Double {
        meanSquare > 0 ? 10 * log10(255 * 255 / meanSquare) : .infinity
    }
}

/// Greedily chooses scans to drop, by bytes saved per estimated error.
struct JPEGScanSearch {
    /// A scan with all scans that depend on it.
    private struct Group {
        var component: Int
        var scans: [Int]
    }

    private let table: JPEGScanTable
    private let groups: [Group]
    private let losses: [JPEGScanLoss]
    private let lumaLimit: Double
    private let colourLimit: Double
    private var isDropped: [Bool]
    private var lost: [JPEGScanLoss]

    /// The weights of the squared errors of Y′, Cb and Cr in the mean squared error of R′G′B′: 1, 1.086 and 0.825 by
    /// JFIF's matrix, and a fifth more for chroma, because its estimates are less certain.
    private static let colourShares = [1, 1.3, 1]

    /// - Parameter table: An orderly table of gray or Y′CbCr.
    init(_ table: JPEGScanTable, eighths: Int, residual: Double, effort: RenderTarget.Effort, halvesChroma: Bool) {
        self.table = table
        self.groups = table.scans.enumerated().filter { !$0.element.hasDC }.map { index, scan in
            Group(component: scan.components[0], scans: table.scans(with: index))
        }
        let models = Self.models(table, eighths: eighths, residual: residual, halvesChroma: halvesChroma)
        self.losses = table.scans.map { scan in
            scan.hasDC ? JPEGScanLoss() : models[scan.components[0]].loss(without: scan)
        }
        self.lumaLimit = 255 * 255 * pow(10, -effort.lumaFloor / 10)
        self.colourLimit = 255 * 255 * pow(10, -effort.colourFloor / 10)
        self.isDropped = table.scans.map { _ in false }
        self.lost = table.components.map { _ in JPEGScanLoss() }
    }

    var dropped: [Int] { self.isDropped.indices.filter { self.isDropped[$0] } }
    var lumaSquare: Double { self.lost[0].meanSquare(isLuma: true) }
    var colourSquare: Double { Self.colourSquare(self.lost) }

    /// Drops groups within the limits, each time the group that saves the most per error.
    mutating func run() {
        while let next = self.best() {
            self.lost = next.lost
            for scan in next.scans { self.isDropped[scan] = true }
        }
    }

    private func best() -> (scans: [Int], lost: [JPEGScanLoss])? {
        var best: (scans: [Int], lost: [JPEGScanLoss])?
        var bestValue = 0.0
        let before = (luma: self.lumaSquare, colour: self.colourSquare)
        for group in self.groups {
            let scans = group.scans.filter { !self.isDropped[$0] }
            guard !scans.isEmpty else { continue }
            var lost = self.lost
            lost[group.component] = scans.reduce(lost[group.component]) { $0 + self.losses[$1] }
            let (luma, colour) = (lost[0].meanSquare(isLuma: true), Self.colourSquare(lost))
            guard luma <= self.lumaLimit, colour <= self.colourLimit else { continue }
            // Reading a scan takes time per block, too.
            let blocks = self.table.components[group.component].blockCount
            let saved = scans.reduce(0) { $0 + self.table.scans[$1].bytes.count + blocks / 8 }
            let cost = (luma - before.luma) / self.lumaLimit + (colour - before.colour) / self.colourLimit
            let value = Double(saved + 1) / (cost + 1e-6)
            guard value > bestValue else { continue }
            (best, bestValue) = ((scans, lost), value)
        }
        return best
    }

    private static func colourSquare(_ lost: [JPEGScanLoss]) -> Double {
        zip(0..., lost).reduce(0) { $0 + $1.1.meanSquare(isLuma: $1.0 == 0) * self.colourShares[$1.0] }
    }

    private static func models(
        _ table: JPEGScanTable, eighths: Int, residual: Double, halvesChroma: Bool
    ) -> [JPEGScanLossModel] {
        let most = ImageHeader.SamplingFactors.largest(of: table.components.lazy.map(\.frame.sampling))
        return table.components.enumerated().map { index, component in
            let sampling = component.frame.sampling
            let side = DecodedPlane.blockSide(of: sampling, eighths: eighths, most: most)
            let reduction = 8 / Double(eighths) * residual * (index > 0 && halvesChroma ? 2 : 1)
            return JPEGScanLossModel(
                component, blockSide: side,
                reduction: (
                    across: reduction * Double(sampling.horizontal) / Double(most.horizontal),
                    down: reduction * Double(sampling.vertical) / Double(most.vertical)
                ))
        }
    }
}

extension RenderTarget.Effort {
    /// The minimum estimated peak signal-to-noise ratio of luma against reading all scans, in dB.
    var lumaFloor: Double {
        switch self {
        case .full: .infinity
        case .balanced: 45
        case .fast: 42
        }
    }

    /// The same for R′G′B′.
    var colourFloor: Double {
        self.lumaFloor - 3
    }
}
