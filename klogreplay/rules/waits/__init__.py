"""Why a pod waited: the answer for one pod, whether or not anything is wrong."""
