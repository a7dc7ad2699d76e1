/** A NodePort service. Its traffic goes to the address in its endpoint slice. */
export interface DesiredService {
  portName: string
  port: number
  /** When null, Kubernetes chooses a free port. A port that the service already has stays. */
  nodePort: number | null
}

/** The address behind a service. */
export interface DesiredEndpointSlice {
  service: string
  portName: string
  port: number
  address: string
}
